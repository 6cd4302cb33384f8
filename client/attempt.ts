/** Makes one attempt at a request. */
import type { Clock } from './clock.ts';
import { CallError, ConnectionError, TimeoutError } from './errors.ts';
import type { Leave } from './rate-limiter.ts';
import type { Outgoing } from './sender.ts';

/** @throws {CallError} or the reason of the aborted signal */
export async function attempt<Result>(
  fetch: typeof globalThis.fetch,
  clock: Clock,
  { method, url, headers, body, signal, read }: Outgoing<Result>,
  timeoutMs: number,
  leave: Leave,
): Promise<Result> {
  const stop = new AbortController();
  const forward = () => stop.abort(signal?.reason);
  const cancel = clock.after(timeoutMs, () => stop.abort(new TimeoutError('The request took too long.')));
  let response: Response | undefined;
  try {
    signal?.throwIfAborted();
    signal?.addEventListener('abort', forward);
    response = await fetch(url, { method, headers, body, signal: stop.signal } as RequestInit);
    return read(response, await response.text());
  } catch (cause) {
    stop.signal.throwIfAborted();
    signal?.throwIfAborted();
    throw cause instanceof CallError ? cause : new ConnectionError(cause);
  } finally {
    cancel();
    signal?.removeEventListener('abort', forward);
    leave(response?.headers);
  }
}
