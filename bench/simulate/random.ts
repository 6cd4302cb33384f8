/** Chance that is the same each time: numbers from a seed. */

/** From 0 up to, and without, 1. */
export type Random = () => number;

/** Mulberry32. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The moments, in seconds, at which things arrive that know nothing of each other. */
export function* arrivals(random: Random, perSecond: number, untilSeconds: number): Generator<number> {
  let at = 0;
  for (;;) {
    at -= Math.log(1 - random()) / perSecond;
    if (at >= untilSeconds) return;
    yield at;
  }
}
