/** Requests to fal.ai: bounded in time and bytes, without redirects; the key goes to its queue and nowhere else. */
import { boundedExchange, type ProviderResponse } from '../../platform/bounded-exchange.ts';

const maxResponseBytes = 4 * 2 ** 20;
/** The transcript of three hours has less than half of it. */
export const maxResultBytes = 16 * 2 ** 20;

export interface QueueRequest {
  /** A path below the queue's URL. */
  readonly url: URL;
  readonly method?: 'POST' | 'PUT';
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  readonly maxBytes?: number;
}

export type RequestQueue = (request: QueueRequest) => Promise<ProviderResponse>;

/** Checked here, because the error for an invalid header would quote it, and this one is a secret. */
export const headersWith = (key: string, idempotencyKey?: string): Headers => {
  try {
    return new Headers({
      Authorization: `Key ${key}`,
      Accept: 'application/json',
      'Content-Type': 'application/json',
      ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
    });
  } catch {
    throw new Error('the fal.ai key contains characters that are not allowed in a header');
  }
};

/** `base` ends with a slash. The URLs are parsed, so that no dot segments can lead outside of it. */
export const isBelow = (url: URL, base: URL): boolean => url.href.startsWith(base.href);

export const queueRequests =
  (base: URL, key: () => Promise<string>, timeLimitMs: number): RequestQueue =>
  async ({ url, method, body, idempotencyKey, maxBytes = maxResponseBytes }) => {
    if (!isBelow(url, base)) throw new Error('the fal.ai key must not be sent to a URL outside of its queue');
    const headers = headersWith(await key(), idempotencyKey);
    return boundedExchange(
      'fal.ai',
      { url: url.href, headers, ...(method && { method }), ...(body !== undefined && { body: JSON.stringify(body) }) },
      { timeLimitMs, maxBytes },
    );
  };
