/** Runs functions one after the other, in the order of their arrival. */
import { unlessAborted } from './unless-aborted.ts';

/** @throws the signal's reason, as soon as it is aborted, even while other functions run */
export type OneByOne = <Result>(act: () => Promise<Result>, signal: AbortSignal | undefined) => Promise<Result>;

export function oneByOne(): OneByOne {
  let last: Promise<unknown> = Promise.resolve();
  return async (act, signal) => {
    const before = last;
    let leave = (): void => {};
    last = new Promise<void>((resolve) => {
      leave = resolve;
    });
    try {
      await unlessAborted(before, signal);
      return await act();
    } finally {
      void before.then(leave);
    }
  };
}
