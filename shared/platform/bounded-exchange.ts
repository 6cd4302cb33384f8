/** Requests to the APIs of providers, limited in time and size and without redirects. */
import { collectBytes, TooManyBytes } from './limit-bytes.ts';

export interface ProviderResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface ProviderRequest {
  readonly url: string;
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly headers?: Headers;
  readonly body?: string;
}

export interface ExchangeBounds {
  /** The time limit of the whole exchange. */
  readonly timeLimitMs: number;
  /** The size limit of the decoded body; with 0, the body is discarded. */
  readonly maxBytes: number;
}

/** Keeps only a system code such as ECONNREFUSED: an error's message may quote the request or the response. */
const reasonOf = (error: unknown): string => {
  if (error instanceof TooManyBytes) return 'the response is too long';
  const { name, cause } = Object(error) as { readonly name?: unknown; readonly cause?: unknown };
  if (name === 'TimeoutError') return 'timeout';
  const { code, message } = Object(cause) as { readonly code?: unknown; readonly message?: unknown };
  if (message === 'unexpected redirect') return 'a redirect';
  return /^[A-Z][A-Z0-9_]{2,40}$/.test(String(code)) ? String(code) : 'no response';
};

const exchange = async (
  { url, ...init }: ProviderRequest,
  { timeLimitMs, maxBytes }: ExchangeBounds,
): Promise<ProviderResponse> => {
  const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(timeLimitMs) });
  const { status, headers } = response;
  if (maxBytes === 0) {
    await response.body?.cancel();
    return { status, headers, text: '' };
  }
  return { status, headers, text: (await collectBytes(response.body ?? [], maxBytes)).toString('utf8') };
};

/**
 * Creates the function that sends requests.
 * @throws {Error} that names the provider, without the URL or anything that was sent or received
 */
export const boundedExchange = (
  provider: string,
  request: ProviderRequest,
  bounds: ExchangeBounds,
): Promise<ProviderResponse> =>
  exchange(request, bounds).catch((error: unknown) => {
    throw new Error(`the request to ${provider} failed: ${reasonOf(error)}`);
  });
