/** Movements over time: smooth starts and ends, and the sway of a hand. */
import { seededRandom } from '../image/seeded-random.ts';

/** Goes from 0 to 1 with a smooth start and end; 0 before and 1 after. */
export const smooth = (share: number): number => {
  const inside = Math.min(1, Math.max(0, share));
  return inside * inside * (3 - 2 * inside);
};

/** Moves irregularly between -1 and 1, about this many times per second, always the same for the same seed. */
export const sway = (seed: string, timesPerSecond: number): ((seconds: number) => number) => {
  const random = seededRandom(seed);
  const waves = [0.61, 1, 1.73].map((factor) => ({
    turns: factor * timesPerSecond * random.between(0.9, 1.1),
    phase: random.next(),
  }));
  return (seconds) =>
    waves.reduce((sum, { turns, phase }) => sum + Math.sin(2 * Math.PI * (turns * seconds + phase)), 0) / waves.length;
};
