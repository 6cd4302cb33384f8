/** Work that was started and not awaited, so that closing can give it time to end. */

const graceSeconds = 5;

export interface InFlight {
  readonly count: number;
  /** The work must not reject. */
  add(work: Promise<void>): void;
  /** Resolves when any of the work ends; there must be some. */
  next(): Promise<void>;
  /** Resolves when all of it has ended. */
  all(): Promise<void>;
}

export function inFlight(): InFlight {
  const works = new Set<Promise<void>>();
  return {
    get count() {
      return works.size;
    },
    add(work) {
      const tracked = work.finally(() => works.delete(tracked));
      works.add(tracked);
    },
    next: () => Promise.race(works),
    all: async () => {
      await Promise.all(works);
    },
  };
}

/** Resolves with the work or after a few seconds: work that hangs must not hold up a shutdown. */
export async function withinGrace(work: Promise<unknown>): Promise<void> {
  const { promise: graceOver, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, graceSeconds * 1000);
  await Promise.race([work, graceOver]);
  clearTimeout(timer);
}
