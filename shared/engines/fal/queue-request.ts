/** Requests with the account's key: to addresses below the queue's, and to nobody else. */
import { boundedExchange, type FalAnswer } from './bounded-exchange.ts';

const maxAnswerBytes = 4 * 2 ** 20;

export interface QueueRequest {
  /** Below the queue's address. */
  readonly url: URL;
  readonly method?: 'POST' | 'PUT';
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly idempotencyKey?: string;
}

export type RequestQueue = (request: QueueRequest) => Promise<FalAnswer>;

/** A refused header is quoted in the refusal, and this one is a secret. */
const headersWith = (key: string, idempotencyKey: string | undefined): Headers => {
  try {
    return new Headers({
      Authorization: `Key ${key}`,
      Accept: 'application/json',
      'Content-Type': 'application/json',
      ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
    });
  } catch {
    throw new Error('the key of fal.ai holds characters that no header may have');
  }
};

/** `base` ends with a slash. The addresses have been parsed: there are no dots left in them that could lead out. */
export const isBelow = (url: URL, base: URL): boolean => url.href.startsWith(base.href);

export const queueRequests =
  (base: URL, key: () => Promise<string>, timeLimitMs: number): RequestQueue =>
  async ({ url, method, body, idempotencyKey }) => {
    if (!isBelow(url, base)) throw new Error('the key of fal.ai is not sent to an address outside of its queue');
    const headers = headersWith(await key(), idempotencyKey);
    return boundedExchange(
      { url: url.href, headers, ...(method && { method }), ...(body !== undefined && { body: JSON.stringify(body) }) },
      { timeLimitMs, maxBytes: maxAnswerBytes },
    );
  };
