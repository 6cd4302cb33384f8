/** Random whole numbers, reproducible by seed. */
import { xorshift128plus } from 'pure-rand/generator/xorshift128plus';

/** The next number, at least 0 and below the limit. */
export type Numbers = (below: number) => number;

/** Creates a sequence that is the same for the same seed. */
export function seededNumbers(seed: number): Numbers {
  const generator = xorshift128plus(seed);
  return (below) => (generator.next() >>> 0) % Math.max(1, below);
}
