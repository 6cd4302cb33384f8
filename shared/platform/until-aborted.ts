/** Makes it possible to stop waiting for operations that cannot be aborted. */

/** Settles like the promise, unless the signal aborts first: then it rejects with the signal's reason. */
export function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const aborted = Promise.withResolvers<never>();
  const giveUp = (): void => aborted.reject(signal.reason);
  signal.addEventListener('abort', giveUp);
  if (signal.aborted) giveUp();
  return Promise.race([work, aborted.promise]);
}
