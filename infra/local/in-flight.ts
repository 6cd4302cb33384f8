/** Tracks work that was started but not awaited, so that closing can wait for it. */

const graceSeconds = 5;

export interface InFlight {
  readonly count: number;
  /** Adds work, which must not reject. */
  add(work: Promise<void>): void;
  /** Resolves when any of the tracked work ends; there must be some. */
  next(): Promise<void>;
  /** Resolves when all of the work has ended. */
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

/** Resolves with the work, or after a few seconds, because stuck work must not block a shutdown. */
export async function withinGrace(work: Promise<unknown>): Promise<void> {
  const { promise: graceOver, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, graceSeconds * 1000);
  await Promise.race([work, graceOver]);
  clearTimeout(timer);
}
