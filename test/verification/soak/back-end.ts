/** Where webhooks go: back ends that take them, refuse them, are slow, hang up or say nothing, each by its address. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Chance } from './seeded-chance.ts';

/** How back ends answer, by how often; a webhook to the silent one is given up after more than half a minute. */
const manners = { accepts: 65, recovers: 12, refuses: 8, slow: 10, 'hangs-up': 4, silent: 1 } as const;

export type Manner = keyof typeof manners;

export interface BackEnd {
  /** A webhook address, by its manner. */
  callbackUrl(chance: Chance): string;
  /** The texts of all posts for a task, oldest first. */
  readonly posts: ReadonlyMap<string, readonly string[]>;
  /** Tasks of which a post was answered with a 2xx. */
  readonly accepted: ReadonlySet<string>;
  /** What came without the headers that each webhook has. */
  readonly malformed: readonly string[];
  close(): Promise<void>;
}

const slowMs = { from: 200, to: 1500 };

const promised = ['x-webhook-token', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];

/** `withSilent` says whether one of them never answers. */
export async function backEnd(chance: Chance, withSilent: boolean): Promise<BackEnd> {
  const posts = new Map<string, string[]>();
  const accepted = new Set<string>();
  const malformed: string[] = [];
  const shares = { ...manners, silent: withSilent ? manners.silent : 0 };

  async function statusOf(manner: Manner, taskId: string): Promise<number | undefined> {
    if (manner === 'slow') await sleep(chance.between(slowMs.from, slowMs.to));
    if (manner === 'refuses') return 500;
    if (manner === 'recovers') return (posts.get(taskId) ?? []).length === 1 ? 503 : 200;
    return manner === 'hangs-up' ? undefined : 204;
  }

  async function receive(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(incoming);
    const { taskId } = JSON.parse(body) as { taskId: string };
    posts.set(taskId, [...(posts.get(taskId) ?? []), body]);
    const missing = promised.filter((name) => !incoming.headers[name]);
    if (missing.length > 0) malformed.push(`${taskId}: ${missing.join(', ')}`);
    const manner = (incoming.url ?? '').slice(1) as Manner;
    if (manner === 'silent') return;
    const status = await statusOf(manner, taskId);
    if (status === undefined) response.destroy();
    else {
      if (status < 300) accepted.add(taskId);
      response.writeHead(status).end();
    }
  }

  const server = createServer((incoming, response) => {
    receive(incoming, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    callbackUrl: (chooser) => `http://127.0.0.1:${port}/${chooser.weighted(shares)}`,
    posts,
    accepted,
    malformed,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
