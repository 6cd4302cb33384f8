/** A back end's webhook address: keeps what arrives, and answers as a test tells it to. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Delivery {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The exact text. */
  readonly body: string;
  readonly at: number;
  /** What was answered, when it was. */
  readonly answeredAt: number;
}

export interface WebhookReceiver {
  readonly url: string;
  readonly deliveries: readonly Delivery[];
  of(taskId: string): readonly Delivery[];
  /** Answers each delivery; the first attempt of a task is number 1. */
  answer(how: (response: ServerResponse, attempt: number) => void | Promise<void>): void;
  close(): Promise<void>;
}

const accept = (response: ServerResponse) => {
  response.writeHead(204).end();
};

export async function webhookReceiver(): Promise<WebhookReceiver> {
  const deliveries: Delivery[] = [];
  let answer: (response: ServerResponse, attempt: number) => void | Promise<void> = accept;
  const of = (taskId: string) => deliveries.filter(({ body }) => body.includes(taskId));

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await Array.fromAsync(request)).toString();
    const at = performance.now();
    const { taskId } = JSON.parse(body) as { taskId: string };
    const delivery = { path: request.url ?? '', headers: request.headers, body, at, answeredAt: at };
    deliveries.push(delivery);
    response.once('close', () => Object.assign(delivery, { answeredAt: performance.now() }));
    await answer(response, of(taskId).length);
  }

  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    deliveries,
    of,
    answer(how) {
      answer = how;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
