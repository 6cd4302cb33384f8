/** Lets the workers of the load pass, or holds them back until no request is in flight. */

export interface Gate {
  /** Does the work when the gate is open. */
  pass(work: () => Promise<unknown>): Promise<void>;
  /** Closes an open gate; resolves when all work has ended that had passed before. */
  close(): Promise<void>;
  open(): void;
}

export function openGate(): Gate {
  const inside = new Set<Promise<unknown>>();
  /** Open is a promise that has been kept. */
  let held = Promise.resolve();
  let release = (): void => undefined;
  return {
    async pass(work) {
      await held;
      const working = work();
      inside.add(working);
      await working.finally(() => inside.delete(working));
    },
    async close() {
      ({ promise: held, resolve: release } = Promise.withResolvers<void>());
      await Promise.allSettled(inside);
    },
    open() {
      release();
    },
  };
}
