/** Choices that a seed repeats. */
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

export interface Chance {
  /** From 0 up to, and without, 1. */
  next(): number;
  /** True with this probability. */
  strikes(share: number): boolean;
  /** A whole number, both ends included. */
  between(from: number, to: number): number;
  /** Undefined when there are no values. */
  pick<Value>(values: readonly Value[]): Value | undefined;
  /** A name, with a probability in proportion to its weight. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name;
}

/** Each `stream` is an independent sequence of the seed. */
export function seededChance(seed: number, stream: number): Chance {
  const generator = xoroshiro128plus(seed);
  for (let jumps = 0; jumps < stream; jumps += 1) generator.jump();
  const next = () => uniformFloat64(generator);
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
