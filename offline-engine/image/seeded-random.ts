/** Reproducible random numbers, seeded by a text. */
import { createHash } from 'node:crypto';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

export interface SeededRandom {
  /** The next number, at least 0 and below 1. */
  next(): number;
  between(min: number, max: number): number;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
}

/** A 32-bit integer that is derived from a text. */
const seedOf = (text: string): number => createHash('sha256').update(text).digest().readUInt32LE();

export const seededRandom = (text: string): SeededRandom => {
  const generator = xoroshiro128plus(seedOf(text));
  const next = () => uniformFloat64(generator);
  return {
    next,
    between: (min, max) => min + (max - min) * next(),
    pick: (items) => items[Math.floor(next() * items.length)] ?? items[0],
  };
};

/** Stateless noise: a number for a position, at least 0 and below 1, that is the same for the same seed. */
export const noiseAt = (x: number, y: number, seed: number): number => {
  let mixed = Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1) ^ seed;
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
};
