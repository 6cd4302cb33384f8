/** Requests to fal.ai, limited in time and size and without redirects; the key goes only to its queue. */
import { boundedExchange, type ProviderResponse } from '../../platform/bounded-exchange.ts';

const maxResponseBytes = 4 * 2 ** 20;
/** The size limit of a result: more than twice the size of a transcript of three hours. */
export const maxResultBytes = 16 * 2 ** 20;

export interface QueueRequest {
  /** A URL below that of the queue. */
  readonly url: URL;
  readonly method?: 'POST' | 'PUT';
  /** The body, sent as JSON. */
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  readonly maxBytes?: number;
  /** Shortens the time limit. */
  readonly withinMs?: number;
}

export type RequestQueue = (request: QueueRequest) => Promise<ProviderResponse>;

/**
 * Headers are validated here, because the runtime's error for an invalid header would quote the key, which is secret.
 */
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

/** Whether a URL is below `base`, which ends with a slash. Both are parsed, so that dot segments cannot escape it. */
export const isBelow = (url: URL, base: URL): boolean => url.href.startsWith(base.href);

export const queueRequests =
  (base: URL, key: () => Promise<string>, timeLimitMs: number): RequestQueue =>
  async ({ url, method, body, idempotencyKey, maxBytes = maxResponseBytes, withinMs = timeLimitMs }) => {
    if (!isBelow(url, base)) throw new Error('the fal.ai key must not be sent to a URL outside of its queue');
    const headers = headersWith(await key(), idempotencyKey);
    return boundedExchange(
      'fal.ai',
      { url: url.href, headers, ...(method && { method }), ...(body !== undefined && { body: JSON.stringify(body) }) },
      { timeLimitMs: Math.min(timeLimitMs, withinMs), maxBytes },
    );
  };
