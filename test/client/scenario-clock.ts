/** The clock of a scenario: waits are recorded and end at once, and timers fire when the scenario says so. */
import type { Clock } from '../../client/client.ts';

export interface ScenarioClock extends Clock {
  /** The seconds of each wait so far. */
  readonly waits: number[];
  /** Fires every timer: the attempt in progress times out. */
  readonly timeOut: () => void;
}

export function scenarioClock(random: number, onWait: (count: number) => void): ScenarioClock {
  let now = Date.parse('2026-11-21T12:00:00.000Z');
  const waits: number[] = [];
  const timers = new Set<{ readonly ms: number; readonly act: () => void }>();
  return {
    waits,
    now: () => now,
    random: () => random,
    wait: async (ms, signal) => {
      signal?.throwIfAborted();
      now += ms;
      waits.push(ms / 1000);
      onWait(waits.length);
      signal?.throwIfAborted();
    },
    after: (ms, act) => {
      const timer = { ms, act };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    timeOut: () => {
      now += Math.max(...[...timers].map(({ ms }) => ms));
      for (const { act } of timers) act();
    },
  };
}
