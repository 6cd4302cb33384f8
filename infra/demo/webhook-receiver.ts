/** The demo's back end: where the webhooks arrive, received as a careful back end would. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from '../local/listen.ts';

export interface Delivery {
  /** Whether the webhook token was the right one; what comes without it is answered 401. */
  readonly authentic: boolean;
  readonly headers: IncomingHttpHeaders;
  /** As it came: what is in it, nobody has looked at yet. */
  readonly body: { readonly taskId?: unknown; readonly event?: unknown };
}

export interface WebhookReceiver {
  /** The `callbackUrl`. */
  readonly url: string;
  /** The first delivery that speaks of a task; waits until it comes. */
  deliveryOf(taskId: string, signal: AbortSignal): Promise<Delivery>;
  close(): Promise<void>;
}

const path = '/webhooks';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** In constant time: how long it takes tells nobody how much of a guess was right. */
const isSameSecret = (given: string, expected: string): boolean => timingSafeEqual(digest(given), digest(expected));

async function read(request: IncomingMessage, webhookToken: string): Promise<Delivery> {
  const given = request.headers['x-webhook-token'];
  const authentic = typeof given === 'string' && isSameSecret(given, webhookToken);
  const text = Buffer.concat(await Array.fromAsync(request)).toString();
  return { authentic, headers: request.headers, body: JSON.parse(text) as Delivery['body'] };
}

export async function startWebhookReceiver(webhookToken: string): Promise<WebhookReceiver> {
  const deliveries: Delivery[] = [];
  const arrivals = new EventEmitter();

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST' || request.url !== path) return void response.writeHead(404).end();
    const delivery = await read(request, webhookToken);
    response.writeHead(delivery.authentic ? 204 : 401).end();
    deliveries.push(delivery);
    arrivals.emit('delivery');
  }

  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.writeHead(400).end());
  });
  const url = `http://127.0.0.1:${await listen(server, 0)}${path}`;
  return {
    url,
    async deliveryOf(taskId, signal) {
      for (;;) {
        const found = deliveries.find(({ body }) => body.taskId === taskId);
        if (found) return found;
        await once(arrivals, 'delivery', { signal });
      }
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
