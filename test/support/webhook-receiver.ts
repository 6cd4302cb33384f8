/** A webhook receiver that records every delivery and responds as a test chooses. */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { localServer } from './local-server.ts';

export interface Delivery {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly taskId: string;
  /** The exact text of the body. */
  readonly body: string;
  readonly at: number;
  /** When the response was sent, or the connection ended. */
  readonly respondedAt: number;
}

/** Responds to a delivery; the first attempt of a task is number 1. */
type Reply = (response: ServerResponse, attempt: number, delivery: Delivery) => void | Promise<void>;

export interface WebhookReceiver {
  readonly url: string;
  readonly deliveries: readonly Delivery[];
  /** The bodies of each task's deliveries, oldest first. */
  readonly posts: ReadonlyMap<string, readonly string[]>;
  of(taskId: string): readonly Delivery[];
  respond(reply: Reply): void;
  /** Forgets all deliveries so far. */
  forget(): void;
  close(): Promise<void>;
}

/** A status, or `hang up` to close the connection without a response. */
export type WebhookResponse = number | 'hang up';

export function respondWith(response: ServerResponse, status: WebhookResponse): void {
  if (status === 'hang up') response.destroy();
  else response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end();
}

const accept: Reply = (response) => respondWith(response, 204);

export async function webhookReceiver(): Promise<WebhookReceiver> {
  const deliveries: Delivery[] = [];
  const posts = new Map<string, string[]>();
  let reply = accept;

  const server = await localServer(async (request, response) => {
    const body = await text(request);
    const at = performance.now();
    const { taskId } = JSON.parse(body) as { taskId: string };
    const delivery = { path: request.url ?? '', headers: request.headers, taskId, body, at, respondedAt: at };
    const attempts = [...(posts.get(taskId) ?? []), body];
    deliveries.push(delivery);
    posts.set(taskId, attempts);
    response.once('close', () => Object.assign(delivery, { respondedAt: performance.now() }));
    await reply(response, attempts.length, delivery);
  });

  return {
    url: `${server.url}/hook`,
    deliveries,
    posts,
    of: (taskId) => deliveries.filter((delivery) => delivery.taskId === taskId),
    respond(next) {
      reply = next;
    },
    forget() {
      deliveries.length = 0;
      posts.clear();
    },
    close: () => server.close(),
  };
}
