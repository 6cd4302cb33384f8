/** The customers' webhook receivers, which accept, reject, delay, hang up or stay silent according to their path. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Chance } from '../../support/chance.ts';
import {
  respondWith,
  type WebhookReceiver,
  type WebhookResponse,
  webhookReceiver,
} from '../../support/webhook-receiver.ts';

/** The shares of each behavior; the service abandons a delivery to a silent receiver after more than half a minute. */
const behaviors = { accepts: 65, recovers: 12, rejects: 8, slow: 10, 'hangs-up': 4, silent: 1 } as const;

type Behavior = keyof typeof behaviors;

export interface BackEnd extends Pick<WebhookReceiver, 'posts'> {
  /** The address of a receiver, chosen by its share. */
  callbackUrl(chance: Chance): string;
  /** Tasks with a delivery that got a 2xx. */
  readonly accepted: ReadonlySet<string>;
  /** Deliveries without the headers that every webhook has. */
  readonly malformed: readonly string[];
  close(): Promise<void>;
}

const slowMs = { from: 200, to: 1500 };

const requiredHeaders = ['x-webhook-token', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];

/** `withSilent` says whether one of the receivers never responds. */
export async function backEnd(chance: Chance, withSilent: boolean): Promise<BackEnd> {
  const accepted = new Set<string>();
  const malformed: string[] = [];
  const shares = { ...behaviors, silent: withSilent ? behaviors.silent : 0 };

  async function statusOf(behavior: Behavior, attempt: number): Promise<WebhookResponse> {
    if (behavior === 'slow') await sleep(chance.between(slowMs.from, slowMs.to));
    if (behavior === 'rejects') return 500;
    if (behavior === 'recovers') return attempt === 1 ? 503 : 200;
    return behavior === 'hangs-up' ? 'hang up' : 204;
  }

  const receiver = await webhookReceiver();
  receiver.respond(async (response, attempt, { headers, path, taskId }) => {
    const missing = requiredHeaders.filter((name) => !headers[name]);
    if (missing.length > 0) malformed.push(`${taskId}: ${missing.join(', ')}`);
    const behavior = path.slice(1) as Behavior;
    if (behavior === 'silent') return;
    const status = await statusOf(behavior, attempt);
    if (status !== 'hang up' && status < 300) accepted.add(taskId);
    respondWith(response, status);
  });

  return {
    callbackUrl: (chooser) => new URL(chooser.weighted(shares), receiver.url).href,
    posts: receiver.posts,
    accepted,
    malformed,
    close: () => receiver.close(),
  };
}
