/** Requests to fal.ai: bounded in time and bytes, without redirects; the key goes to its queue and nowhere else. */
import { collectBytes, TooManyBytes } from '../../platform/limit-bytes.ts';

export interface FalResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

interface FalExchange {
  readonly url: string;
  readonly method?: 'POST' | 'PUT';
  readonly headers?: Headers;
  readonly body?: string;
}

interface Bounds {
  /** Limits the whole exchange. */
  readonly timeLimitMs: number;
  /** Limits the decoded body. */
  readonly maxBytes: number;
}

/** Only the system's code, such as ECONNREFUSED: an error message may quote the request or the response. */
const reasonOf = (error: unknown): string => {
  if (error instanceof TooManyBytes) return 'the response is too long';
  const { name, cause } = Object(error) as { readonly name?: unknown; readonly cause?: unknown };
  if (name === 'TimeoutError') return 'timeout';
  const { code, message } = Object(cause) as { readonly code?: unknown; readonly message?: unknown };
  if (message === 'unexpected redirect') return 'a redirect';
  return /^[A-Z][A-Z0-9_]{2,40}$/.test(String(code)) ? String(code) : 'no response';
};

const exchange = async ({ url, ...init }: FalExchange, { timeLimitMs, maxBytes }: Bounds): Promise<FalResponse> => {
  const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(timeLimitMs) });
  const { status, headers } = response;
  return { status, headers, text: (await collectBytes(response.body ?? [], maxBytes)).toString('utf8') };
};

/** @throws {Error} that contains neither the URL nor what was sent or received. */
export const boundedExchange = (request: FalExchange, bounds: Bounds): Promise<FalResponse> =>
  exchange(request, bounds).catch((error: unknown) => {
    throw new Error(`the request to fal.ai failed: ${reasonOf(error)}`);
  });

/** Undefined if it is not JSON. */
export const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const maxResponseBytes = 4 * 2 ** 20;

export interface QueueRequest {
  /** A path below the queue's URL. */
  readonly url: URL;
  readonly method?: 'POST' | 'PUT';
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly idempotencyKey?: string;
}

export type RequestQueue = (request: QueueRequest) => Promise<FalResponse>;

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
  async ({ url, method, body, idempotencyKey }) => {
    if (!isBelow(url, base)) throw new Error('the fal.ai key must not be sent to a URL outside of its queue');
    const headers = headersWith(await key(), idempotencyKey);
    return boundedExchange(
      { url: url.href, headers, ...(method && { method }), ...(body !== undefined && { body: JSON.stringify(body) }) },
      { timeLimitMs, maxBytes: maxResponseBytes },
    );
  };
