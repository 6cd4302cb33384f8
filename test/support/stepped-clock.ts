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

/** A clock that runs like the real one, and can be advanced. */
export const steppedClock = (): SteppedClock => advanced(() => systemClock.now());

/** A clock that stands still, so that nothing expires, however slow the machine is. */
export function stillClock(): SteppedClock {
  const start = systemClock.now();
  return advanced(() => start);
}
