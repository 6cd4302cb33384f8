/** A clock that runs like the real one and can be advanced. */
import { type Clock, systemClock } from '../../shared/platform/clock.ts';

export interface SteppedClock extends Clock {
  advance(milliseconds: number): void;
}

export function steppedClock(): SteppedClock {
  let ahead = 0;
  return {
    now: () => systemClock.now() + ahead,
    advance(milliseconds) {
      ahead += milliseconds;
    },
  };
}
