/** Sends requests to a provider's JSON API, with limits and without redirects; the key goes only to its base URL. */
import { boundedExchange } from '../platform/bounded-exchange.ts';
import { jsonIn } from '../platform/json-in.ts';

export interface ProviderApiAccess {
  /** The provider's name, for error messages. */
  readonly provider: string;
  /** The base URL, without a trailing slash. */
  readonly url: string;
  readonly headersWith: (key: string) => Readonly<Record<string, string>>;
  /** The key is read at each use, so that a changed key needs no restart. */
  readonly key: () => Promise<string>;
  /** The time limit of each exchange. */
  readonly timeLimitMs: number;
}

export interface ApiResponse {
  readonly status: number;
  readonly isOk: boolean;
  /** The parsed body; undefined if the response is not JSON. */
  readonly body: unknown;
}

/** Sends a request. `path` begins with a slash; ids in it must match {@link isPlainId}. With a body, it is a POST. */
export type AskApi = (path: string, body?: object) => Promise<ApiResponse>;

const maxResponseBytes = 4 * 2 ** 20;

/** An id that is safe to insert into a URL. */
export const plainId = /^[\w-]{1,100}$/;

const headersOf = ({ provider, headersWith }: ProviderApiAccess, key: string): Headers => {
  try {
    return new Headers({ ...headersWith(key), Accept: 'application/json', 'Content-Type': 'application/json' });
  } catch {
    // The new error replaces the original one, which would quote the key.
    throw new Error(`the ${provider} key contains characters that are not allowed in a header`);
  }
};

/** Sends a request. @throws {Error} that contains neither the URL nor anything that was sent or received */
export const providerApi =
  (access: ProviderApiAccess): AskApi =>
  async (path, body) => {
    const { provider, url, key, timeLimitMs } = access;
    const headers = headersOf(access, await key());
    const request = {
      url: `${url}${path}`,
      headers,
      ...(body && ({ method: 'POST', body: JSON.stringify(body) } as const)),
    };
    const { status, text } = await boundedExchange(provider, request, { timeLimitMs, maxBytes: maxResponseBytes });
    return { status, isOk: status >= 200 && status < 300, body: jsonIn(text) };
  };
