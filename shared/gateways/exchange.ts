/** A request and JSON response of a gateway, limited in time and size. */
import { collectBytes } from '../platform/limit-bytes.ts';

export interface GatewayResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body; undefined if it is not JSON. */
  readonly body: unknown;
}

const maxBytes = 4 * 2 ** 20;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Builds the headers. @throws {Error} that never quotes the key */
export function authorizedHeaders(gateway: string, key: string, others: Readonly<Record<string, string>>): Headers {
  try {
    return new Headers({ Authorization: `Bearer ${key}`, ...others });
  } catch {
    throw new Error(`the key of ${gateway} contains characters that are not allowed in a header`);
  }
}

/** Combines the time limit of one exchange with the deadline of the operation that it is part of. */
export function exchangeLimit(timeLimitMs: number, deadline: AbortSignal | undefined): AbortSignal {
  const limit = AbortSignal.timeout(timeLimitMs);
  return deadline ? AbortSignal.any([deadline, limit]) : limit;
}

/** Sends a request. Redirects are never followed, because the key must not be sent to any other host. */
export async function exchange(
  url: string,
  init: Pick<RequestInit, 'body' | 'headers' | 'method' | 'signal'>,
): Promise<GatewayResponse> {
  const response = await fetch(url, { ...init, redirect: 'error' });
  const bytes = await collectBytes(response.body ?? [], maxBytes);
  return { status: response.status, headers: response.headers, body: parsed(bytes.toString('utf8')) };
}
