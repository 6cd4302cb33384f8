/** The clock and random numbers, which tests can replace. */
import { unlessAborted } from './unless-aborted.ts';

export interface Clock {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** A number from 0 up to 1. */
  readonly random: () => number;
  /** Resolves after so many milliseconds. @throws the signal's reason, as soon as it is aborted */
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Acts after so many milliseconds, unless the returned function is called before. */
  readonly after: (ms: number, act: () => void) => () => void;
}

const after: Clock['after'] = (ms, act) => {
  const timer = setTimeout(act, ms);
  return () => clearTimeout(timer);
};

export const systemClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  wait: async (ms, signal) => {
    let cancel = (): void => {};
    const passed = new Promise<void>((resolve) => {
      cancel = after(ms, resolve);
    });
    await unlessAborted(passed, signal).finally(cancel);
  },
  after,
};
