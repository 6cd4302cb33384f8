/** Requests to the offline engine only: with its key, without redirects, with a time limit. */

export const timeLimitMs = 10_000;

export interface EngineRequest {
  /** A path below the engine's base URL. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly method?: 'POST';
  /** Replaces the limit of 10 s for the whole exchange. */
  readonly signal?: AbortSignal;
}

export type RequestEngine = (request: EngineRequest) => Promise<Response>;

/** Checked here, because the error for an invalid header would quote it, and this one is a secret. */
const headersWith = (key: string): Headers => {
  try {
    return new Headers({ Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' });
  } catch {
    throw new Error('the key of the offline engine contains characters that are not allowed in a header');
  }
};

/** `base` ends with a slash. */
export const engineRequests =
  (base: URL, key: () => Promise<string>): RequestEngine =>
  async ({ path, body, method, signal = AbortSignal.timeout(timeLimitMs) }) =>
    fetch(`${base.href}${path}`, {
      redirect: 'error',
      signal,
      headers: headersWith(await key()),
      ...(method && { method }),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });

/** Contains only the status: a response's text may be long and may quote the request. */
export const unexpectedResponse = (act: string, status: number): Error =>
  new Error(`the offline engine responded with ${status} to ${act}`);
