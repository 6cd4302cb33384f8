/** One request to fal.ai: without redirects, bounded in time and bytes; its errors quote nobody. */

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
  /** For the whole answer. */
  readonly timeLimitMs: number;
  /** Of the decoded body. */
  readonly maxBytes: number;
}

/** The words of a fault may quote the request or the answer; a system's code, e.g. ECONNREFUSED, quotes nothing. */
const reasonOf = (error: unknown): string => {
  if (error instanceof TooManyBytes) return 'the answer is too long';
  const { name, cause } = Object(error) as { readonly name?: unknown; readonly cause?: unknown };
  if (name === 'TimeoutError') return 'no answer in time';
  const { code, message } = Object(cause) as { readonly code?: unknown; readonly message?: unknown };
  if (message === 'unexpected redirect') return 'a redirect';
  return /^[A-Z][A-Z0-9_]{2,40}$/.test(String(code)) ? String(code) : 'no answer';
};

const exchange = async ({ url, ...init }: FalExchange, { timeLimitMs, maxBytes }: Bounds): Promise<FalAnswer> => {
  const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(timeLimitMs) });
  const { status, headers } = response;
  return { status, headers, text: (await collectBytes(response.body ?? [], maxBytes)).toString('utf8') };
};

/** Throws an Error that tells neither the address nor what was sent or received. */
export const boundedExchange = (request: FalExchange, bounds: Bounds): Promise<FalAnswer> =>
  exchange(request, bounds).catch((error: unknown) => {
    throw new Error(`fal.ai could not be asked: ${reasonOf(error)}`);
  });

/** Undefined when it is no JSON. */
export const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
