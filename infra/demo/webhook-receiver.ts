/** The demo's back end: where the webhooks arrive, received as a careful back end would. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { verifyWebhook, type WebhookRequest } from '../../client/verify-webhook.ts';
import { listen } from '../local/listen.ts';

export interface Delivery {
  /** Whether the webhook token was the right one; the response is 401 otherwise. */
  readonly authentic: boolean;
  /** Whether the service's signature was valid; the response is 401 otherwise. */
  readonly signed: boolean;
  readonly headers: IncomingHttpHeaders;
  /** As it arrived, not yet checked. */
  readonly body: { readonly taskId?: unknown; readonly event?: unknown };
}

export interface WebhookReceiver {
  /** The `callbackUrl`. */
  readonly url: string;
  /** The first delivery that speaks of a task; waits until it comes. */
  deliveryOf(taskId: string, signal: AbortSignal): Promise<Delivery>;
  close(): Promise<void>;
}

export interface Trust {
  readonly webhookToken: string;
  /** The service's public keys; asked for at each delivery, so few are they. */
  readonly publicKeys: () => Promise<WebhookRequest['keys']>;
}

const path = '/webhooks';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** In constant time, so that the duration does not reveal how much of a guess was right. */
const isSameSecret = (given: string, expected: string): boolean => timingSafeEqual(digest(given), digest(expected));

async function read(request: IncomingMessage, { webhookToken, publicKeys }: Trust): Promise<Delivery> {
  const { headers } = request;
  const given = headers['x-webhook-token'];
  const authentic = typeof given === 'string' && isSameSecret(given, webhookToken);
  const body = Buffer.concat(await Array.fromAsync(request));
  const { ok: signed } = verifyWebhook({ body, headers, keys: await publicKeys() });
  return { authentic, signed, headers, body: JSON.parse(body.toString()) as Delivery['body'] };
}

export async function startWebhookReceiver(trust: Trust): Promise<WebhookReceiver> {
  const deliveries: Delivery[] = [];
  const arrivals = new EventEmitter();

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST' || request.url !== path) return void response.writeHead(404).end();
    const delivery = await read(request, trust);
    response.writeHead(delivery.authentic && delivery.signed ? 204 : 401).end();
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
