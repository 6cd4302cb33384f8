/** Seeded random numbers, so that every run is the same. */

/** A number in [0, 1). */
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

/** Independent arrivals (a Poisson process), as moments in seconds. */
export function* arrivals(random: Random, perSecond: number, untilSeconds: number): Generator<number> {
  let at = 0;
  for (;;) {
    at -= Math.log(1 - random()) / perSecond;
    if (at >= untilSeconds) return;
    yield at;
  }
}
