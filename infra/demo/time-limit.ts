/** Time limits for steps. */

/**
 * Runs work with a signal that aborts after a number of seconds, or when `stop` does. @throws the reason of `stop` if
 * it aborts; an Error if time runs out; otherwise the error of the work
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
    throw limit.signal.aborted ? new Error(`it took more than ${seconds} seconds`, { cause: error }) : error;
  } finally {
    clearTimeout(timer);
  }
}
