/** Clocks that can be advanced. */
import { type Clock, systemClock } from '../../shared/platform/clock.ts';

export interface SteppedClock extends Clock {
  advance(milliseconds: number): void;
}

function advanced(now: () => number): SteppedClock {
  let ahead = 0;
  return {
    now: () => now() + ahead,
    advance(milliseconds) {
      ahead += milliseconds;
    },
  };
}

/** Runs like the real one. */
export const steppedClock = (): SteppedClock => advanced(() => systemClock.now());

/** Stands still, so that nothing expires however slow the machine is. */
export function stillClock(): SteppedClock {
  const start = systemClock.now();
  return advanced(() => start);
}
