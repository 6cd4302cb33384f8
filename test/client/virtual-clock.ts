/** A clock that advances only when all code is waiting, so that hours of concurrent calls take milliseconds. */
import { setImmediate as idle } from 'node:timers/promises';
import type { Clock } from '../../client/client.ts';

export interface VirtualClock extends Clock {
  /** Lets time pass until the promise settles. */
  readonly run: <Result>(work: Promise<Result>) => Promise<Result>;
}

export function virtualClock(random: () => number): VirtualClock {
  let now = 0;
  let timers: { readonly at: number; readonly act: () => void }[] = [];
  const after: Clock['after'] = (ms, act) => {
    const timer = { at: now + ms, act };
    timers.push(timer);
    return () => {
      timers = timers.filter((other) => other !== timer);
    };
  };
  return {
    now: () => now,
    random,
    after,
    wait: (ms, signal) =>
      new Promise((resolve, reject) => {
        const cancel = after(ms, resolve);
        signal?.addEventListener('abort', () => {
          cancel();
          reject(signal.reason);
        });
      }),
    run: async (work) => {
      let isDone = false;
      const settled = work.finally(() => {
        isDone = true;
      });
      settled.catch(() => {});
      for (;;) {
        await idle();
        if (isDone) return settled;
        const next = timers.toSorted((one, other) => one.at - other.at)[0];
        if (!next) throw new Error('the work waits for nothing');
        timers = timers.filter((timer) => timer !== next);
        now = next.at;
        next.act();
      }
    },
  };
}
