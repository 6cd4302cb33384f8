/** Chance that a seed repeats, for choices of which there are many. */

export interface Chance {
  /** From 0 up to 1. */
  next(): number;
  /** True so often: 0.25 is once in four times. */
  strikes(share: number): boolean;
  /** A whole number, both ends included. */
  between(from: number, to: number): number;
  /** Undefined out of nothing. */
  pick<Value>(values: readonly Value[]): Value | undefined;
  /** A name, by the weights of all. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name;
}

/** Mulberry32: 32 bits of state are plenty for choices that nobody has to be unable to guess. */
function generator(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** `stream` makes several independent sequences out of one seed. */
export function seededChance(seed: number, stream: number): Chance {
  const next = generator(Math.imul(seed, 0x9e3779b1) ^ Math.imul(stream + 1, 0x85ebca6b));
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    strikes: (share) => next() < share,
    between,
    pick: (values) => values[between(0, values.length - 1)],
    weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name {
      const entries = Object.entries<number>(weights);
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      const chosen = entries.find(([, weight]) => {
        left -= weight;
        return left < 0;
      });
      return (chosen ?? entries[0])?.[0] as Name;
    },
  };
}
