/** The demo's webhook receiver, which verifies webhooks as a customer's back end should. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { verifyWebhook, type WebhookRequest } from '../../client/verify-webhook.ts';
import { closeServer, listen } from '../../fakes/listen.ts';

interface Delivery {
  /** Whether the webhook token was correct; if not, the response is 401. */
  readonly authentic: boolean;
  /** Whether the service's signature was valid; if not, the response is 401. */
  readonly signed: boolean;
  readonly headers: IncomingHttpHeaders;
  /** The body as received and not yet validated. */
  readonly body: { readonly taskId?: unknown; readonly event?: unknown };
}

export interface WebhookReceiver {
  /** The URL to pass as `callbackUrl`. */
  readonly url: string;
  /** Resolves with the first delivery for a task. */
  deliveryOf(taskId: string, signal: AbortSignal): Promise<Delivery>;
  close(): Promise<void>;
}

export interface Trust {
  readonly webhookToken: string;
  /** The service's public keys, fetched for each delivery because there are few deliveries. */
  readonly publicKeys: () => Promise<WebhookRequest['keys']>;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

async function read(request: IncomingMessage, { webhookToken, publicKeys }: Trust): Promise<Delivery> {
  const { headers } = request;
  // Compares two tokens in constant time, so that the duration does not reveal how much of a guess was right.
  const authentic = timingSafeEqual(digest(String(headers['x-webhook-token'])), digest(webhookToken));
  const body = Buffer.concat(await Array.fromAsync(request));
  const { ok: signed } = await verifyWebhook({ body, headers, keys: await publicKeys() });
  return { authentic, signed, headers, body: JSON.parse(body.toString()) as Delivery['body'] };
}

export async function startWebhookReceiver(trust: Trust): Promise<WebhookReceiver> {
  const deliveries: Delivery[] = [];
  const arrivals = new EventEmitter();
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const delivery = await read(request, trust);
    response.writeHead(delivery.authentic && delivery.signed ? 204 : 401).end();
    deliveries.push(delivery);
    arrivals.emit('delivery');
  };
  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.writeHead(400).end());
  });
  return {
    url: `http://127.0.0.1:${await listen(server, 0)}/webhooks`,
    async deliveryOf(taskId, signal) {
      for (;;) {
        const found = deliveries.find(({ body }) => body.taskId === taskId);
        if (found) return found;
        await once(arrivals, 'delivery', { signal });
      }
    },
    close: () => closeServer(server),
  };
}
