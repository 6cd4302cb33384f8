/** Requests with the account's key, sent only to URLs below the queue's. */
import { boundedExchange, type FalAnswer } from './bounded-exchange.ts';

const maxAnswerBytes = 4 * 2 ** 20;

export interface QueueRequest {
  /** A path below the queue's URL. */
  readonly url: URL;
  readonly method?: 'POST' | 'PUT';
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly idempotencyKey?: string;
}

export type RequestQueue = (request: QueueRequest) => Promise<FalAnswer>;

/** Checked here, because the error for an invalid header would quote it, and this one is a secret. */
const headersWith = (key: string, idempotencyKey: string | undefined): Headers => {
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
  async ({ url, method, body, idempotencyKey }) => {
    if (!isBelow(url, base)) throw new Error('the fal.ai key must not be sent to a URL outside of its queue');
    const headers = headersWith(await key(), idempotencyKey);
    return boundedExchange(
      { url: url.href, headers, ...(method && { method }), ...(body !== undefined && { body: JSON.stringify(body) }) },
      { timeLimitMs, maxBytes: maxAnswerBytes },
    );
  };
