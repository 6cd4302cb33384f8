/** A time limit that can be paused. */

export interface TimeBudget {
  /** Aborts when the time is used up. */
  readonly signal: AbortSignal;
  /** Runs a function whose duration is not counted. */
  pausedFor<Result>(work: () => Promise<Result>): Promise<Result>;
}

export function timeBudget(milliseconds: number): TimeBudget {
  const controller = new AbortController();
  let [leftMs, startedAt] = [milliseconds, performance.now()];
  // Like the timer of `AbortSignal.timeout`, this timer does not keep the process running.
  const start = () => setTimeout(() => controller.abort(), leftMs).unref();
  let timer = start();
  return {
    signal: controller.signal,
    async pausedFor(work) {
      clearTimeout(timer);
      leftMs -= performance.now() - startedAt;
      try {
        return await work();
      } finally {
        startedAt = performance.now();
        timer = start();
      }
    },
  };
}
