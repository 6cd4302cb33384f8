/** A limit to how long a step may take. */

/**
 * Runs work whose signal aborts after so many seconds, or when `stop` does.
 * @throws the reason of `stop` once that is aborted; an Error with a clause when the time is up; else what work throws.
 */
export async function withinSeconds<Value>(
  seconds: number,
  stop: AbortSignal,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), seconds * 1000);
  try {
    stop.throwIfAborted();
    return await work(AbortSignal.any([stop, limit.signal]));
  } catch (error) {
    stop.throwIfAborted();
    throw limit.signal.aborted ? new Error(`it was not done within ${seconds} seconds`, { cause: error }) : error;
  } finally {
    clearTimeout(timer);
  }
}
