/** Limits concurrency; further work waits in order. */

export interface ConcurrencyLimit<Holder> {
  /** Resolves with true when a slot is free, and with false if the signal aborts first. */
  acquire(holder: Holder, signal: AbortSignal): Promise<boolean>;
  /** Frees a slot; must be called exactly once for each one taken. */
  release(): void;
  /** How many are waiting ahead of this one; 0 if it is not waiting. */
  positionOf(holder: Holder): number;
}

interface Waiter<Holder> {
  readonly holder: Holder;
  readonly signal: AbortSignal;
  readonly admit: () => void;
}

export const concurrencyLimit = <Holder>(size: number): ConcurrencyLimit<Holder> => {
  let waiting: Waiter<Holder>[] = [];
  let active = 0;
  const admit = () => {
    waiting = waiting.filter(({ signal }) => !signal.aborted);
    for (const waiter of waiting.splice(0, size - active)) {
      active += 1;
      waiter.admit();
    }
  };
  return {
    acquire(holder, signal) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      if (signal.aborted) return Promise.resolve(false);
      signal.addEventListener('abort', () => resolve(false), { once: true });
      waiting.push({ holder, signal, admit: () => resolve(true) });
      admit();
      return promise;
    },
    release() {
      active -= 1;
      admit();
    },
    positionOf: (holder) =>
      Math.max(
        0,
        waiting.filter(({ signal }) => !signal.aborted).findIndex((waiter) => waiter.holder === holder),
      ),
  };
};
