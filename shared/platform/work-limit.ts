/** Limits how much work runs concurrently; further work waits in order. */

export type WorkLimit = <Result>(work: () => Promise<Result>) => Promise<Result>;

export function workLimit(max: number): WorkLimit {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < max) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The slot is passed on directly, so that work that arrives meanwhile cannot overtake.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
