/** Requests to the offline engine and to nobody else: with its key, without redirects, for a limited time. */

export const timeLimitMs = 10_000;

export interface EngineRequest {
  /** A path below the engine's base address. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly method?: 'POST';
  /** In place of the limit of 10 s for the whole answer. */
  readonly signal?: AbortSignal;
}

export type RequestEngine = (request: EngineRequest) => Promise<Response>;

/** A refused header is quoted in the refusal, and this one is a secret. */
const headersWith = (key: string): Headers => {
  try {
    return new Headers({ Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' });
  } catch {
    throw new Error('the key of the offline engine holds characters that no header may have');
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

/** Tells the status alone: an answer's text may be long and may quote the request. */
export const unexpectedAnswer = (act: string, status: number): Error =>
  new Error(`the offline engine answered ${status} to ${act}`);
