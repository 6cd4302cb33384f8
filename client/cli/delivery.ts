/** Webhooks that the listener has received. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { verifyWebhook, type WebhookVerdict } from '../verify-webhook.ts';
import { webhookKeys } from '../webhook-keys.ts';
import { type ListenerOptions, OptionsError } from './listener-options.ts';

export interface Delivery {
  /** 1 for the first webhook since the start. */
  readonly number: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer<ArrayBuffer>;
  readonly verdict: WebhookVerdict;
  /** An earlier webhook with the same `webhook-id`. */
  readonly repeats: number | undefined;
}

interface Deliveries {
  readonly add: (request: IncomingMessage) => Promise<Delivery>;
  /** The delivery with a number, or the last one. @throws {OptionsError} if there is none */
  readonly find: (number?: number) => Delivery;
}

/** The webhooks that can be sent again. */
const keptDeliveries = 1000;

export function keepDeliveries({
  baseUrl,
  webhookToken,
}: Pick<ListenerOptions, 'baseUrl' | 'webhookToken'>): Deliveries {
  const keys = webhookKeys({ baseUrl });
  const kept: Delivery[] = [];
  let received = 0;
  return {
    async add(request) {
      const { headers } = request;
      const body = await buffer(request);
      const verdict = await verifyWebhook({ body, headers, keys, webhookToken });
      const id = headers['webhook-id'];
      const repeats = id === undefined ? undefined : kept.find((one) => one.headers['webhook-id'] === id)?.number;
      received += 1;
      const delivery = { number: received, headers, body, verdict, repeats };
      kept.push(delivery);
      if (kept.length > keptDeliveries) kept.shift();
      return delivery;
    },
    find(number = received) {
      const found = kept.find((delivery) => delivery.number === number);
      if (found) return found;
      throw new OptionsError('There is no webhook with this number.');
    },
  };
}
