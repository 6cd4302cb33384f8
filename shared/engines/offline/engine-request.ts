/** Sends requests to the offline engine, with its key and a time limit and without redirects. */

export const timeLimitMs = 10_000;

export interface EngineRequest {
  /** The path below the engine's base URL. */
  readonly path: string;
  /** The body, sent as JSON. */
  readonly body?: unknown;
  readonly method?: 'POST';
  /** Replaces the default time limit of 10 s for the whole exchange. */
  readonly signal?: AbortSignal;
}

export type RequestEngine = (request: EngineRequest) => Promise<Response>;

/**
 * Headers are validated here, because the runtime's error for an invalid header would quote the key, which is secret.
 */
const headersWith = (key: string): Headers => {
  try {
    return new Headers({ Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' });
  } catch {
    throw new Error('the key of the offline engine contains characters that are not allowed in a header');
  }
};

/** Creates the function that sends requests; `base` ends with a slash. */
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

/** An error with only the status, because a response's text may be long and may quote the request. */
export const unexpectedResponse = (act: string, status: number): Error =>
  new Error(`the offline engine responded with ${status} to ${act}`);
