/** Random whole numbers, reproducible by seed. */
import { xorshift128plus } from 'pure-rand/generator/xorshift128plus';

/** The next number, from 0 to below the limit. */
export type Numbers = (below: number) => number;

/** The same numbers for the same seed. */
export function seededNumbers(seed: number): Numbers {
  const generator = xorshift128plus(seed);
  return (below) => (generator.next() >>> 0) % Math.max(1, below);
}
