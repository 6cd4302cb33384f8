/** Limits how much work runs concurrently, so that the work of one caller cannot keep that of another waiting. */

type FairWorkLimit = <Result>(caller: string, work: () => Promise<Result>) => Promise<Result>;

interface Caller {
  running: number;
  readonly waiting: (() => void)[];
}

/**
 * At most `max` units of work run concurrently, and `maxOfCaller` of each caller. Callers with waiting work take turns.
 */
export function fairWorkLimit(max: number, maxOfCaller: number): FairWorkLimit {
  /** The callers with waiting work, the one first whose last turn was longest ago. */
  const callers = new Map<string, Caller>();
  let running = 0;

  const startNext = () => {
    for (const [name, caller] of callers) {
      if (running === max) return;
      const start = caller.running < maxOfCaller ? caller.waiting.shift() : undefined;
      if (!start) continue;
      running += 1;
      caller.running += 1;
      callers.delete(name);
      callers.set(name, caller);
      start();
    }
  };

  return async (name, work) => {
    const caller = callers.get(name) ?? { running: 0, waiting: [] };
    callers.set(name, caller);
    const turn = new Promise<void>((start) => caller.waiting.push(start));
    startNext();
    await turn;
    try {
      return await work();
    } finally {
      running -= 1;
      caller.running -= 1;
      if (caller.running === 0 && caller.waiting.length === 0) callers.delete(name);
      startNext();
    }
  };
}
