/** Reproducible random numbers, seeded by a text. */
import { createHash } from 'node:crypto';

export interface SeededRandom {
  /** At least 0 and below 1. */
  next(): number;
  between(least: number, most: number): number;
  /** A number from the standard normal distribution. */
  normal(): number;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
}

/** A 32-bit integer. */
export const seedOf = (text: string): number => createHash('sha256').update(text).digest().readUInt32LE();

/** The generator "sfc32" (Chris Doty-Humphrey), which passes PractRand and is fast. */
export const seededRandom = (text: string): SeededRandom => {
  const hash = createHash('sha256').update(text).digest();
  let [a, b, c, counter] = [hash.readInt32LE(0), hash.readInt32LE(4), hash.readInt32LE(8), 1];
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
  for (let round = 0; round < 12; round += 1) next();
  return {
    next,
    between: (least, most) => least + (most - least) * next(),
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
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
