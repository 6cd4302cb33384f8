/** Gates before each request and before each response, at which operations wait until the scheduler picks them. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import type * as fc from 'fast-check';

/** An operation under way, and how many gates it may still pass without waiting. */
interface Walker {
  readonly name: string;
  passes: number;
}

export interface Gates {
  /** Runs something as an operation: its requests are the scheduler's from here on. */
  readonly enter: <Result>(name: string, operation: () => Promise<Result>) => Promise<Result>;
  /** Sends a request when it is its turn, and returns the response at a later turn. Outside of operations, at once. */
  readonly pass: <Result>(request: string, send: () => Promise<Result>) => Promise<Result>;
  /** Does what takes time without being a request: no operation continues meanwhile. */
  readonly occupy: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Lets the scheduler pick who goes on, until all operations are over. */
  readonly conduct: <Result>(operations: () => readonly Promise<Result>[]) => Promise<Result[]>;
  /** How often an operation reached a gate, and how often the scheduler had to pick one to continue. */
  readonly arrivals: number;
  readonly picks: number;
}

/**
 * The scheduler picks who goes on, and each pick is worth one of `strides`: so many gates that the picked operation
 * passes without being picked again. Behind the last stride it goes on to its end, so that a shorter list is an order
 * with fewer changes. At any moment one request at most is under way.
 */
export function gatesOf(scheduler: fc.Scheduler, strides: readonly number[]): Gates {
  const walkers = new AsyncLocalStorage<Walker | undefined>();
  const under = new Set<Promise<unknown>>();
  let last: Promise<unknown> = Promise.resolve();
  let arrivals = 0;
  let picks = 0;

  async function stand(walker: Walker, what: string): Promise<void> {
    arrivals += 1;
    if (walker.passes > 0) {
      walker.passes -= 1;
      return;
    }
    await scheduler.schedule(Promise.resolve(), `${walker.name}: ${what}`);
    walker.passes = (strides[picks] ?? Number.POSITIVE_INFINITY) - 1;
    picks += 1;
  }

  /** Requests of one operation that come together are sent one after the other, or their order would be chance. */
  function occupy<Result>(work: () => Promise<Result>): Promise<Result> {
    // What is done within is no operation's.
    if (!walkers.getStore()) return work();
    const working = last.then(() => walkers.run(undefined, work));
    const over = working.then(
      () => undefined,
      () => undefined,
    );
    last = over;
    under.add(over);
    over.then(() => under.delete(over)).catch(() => undefined);
    return working;
  }

  /** Until every operation waits at a gate or has finished. */
  async function stillness(): Promise<void> {
    for (;;) {
      await turn();
      if (under.size === 0) return;
      await Promise.all(under);
    }
  }

  return {
    enter: (name, operation) => walkers.run({ name, passes: 0 }, operation),
    async pass(request, send) {
      const walker = walkers.getStore();
      if (!walker) return send();
      await stand(walker, request);
      const [response] = await Promise.allSettled([occupy(send)]);
      await stand(walker, `response to ${request}`);
      if (response.status === 'rejected') throw response.reason;
      return response.value;
    },
    occupy,
    async conduct(operations) {
      const all = Promise.all(operations());
      all.catch(() => undefined);
      await stillness();
      return scheduler.waitFor(all, async (pick) => {
        await pick();
        await stillness();
      });
    },
    get arrivals() {
      return arrivals;
    },
    get picks() {
      return picks;
    },
  };
}
