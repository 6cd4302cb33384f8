/** One request to fal.ai: without redirects, bounded in time and bytes; its errors quote neither side. */

import { collectBytes, TooManyBytes } from '../../platform/limit-bytes.ts';

export interface FalAnswer {
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

const exchange = async ({ url, ...init }: FalExchange, { timeLimitMs, maxBytes }: Bounds): Promise<FalAnswer> => {
  const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(timeLimitMs) });
  const { status, headers } = response;
  return { status, headers, text: (await collectBytes(response.body ?? [], maxBytes)).toString('utf8') };
};

/** @throws {Error} that contains neither the URL nor what was sent or received. */
export const boundedExchange = (request: FalExchange, bounds: Bounds): Promise<FalAnswer> =>
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
