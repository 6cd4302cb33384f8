/** Random choices, reproducible by seed. */
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

export interface Chance {
  /** From 0 to below 1. */
  next(): number;
  /** True with this probability. */
  strikes(share: number): boolean;
  /** An integer in an inclusive range. */
  between(from: number, to: number): number;
  /** Undefined if there are no values. */
  pick<Value>(values: readonly Value[]): Value | undefined;
  /** A name, with a probability proportional to its weight. */
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
