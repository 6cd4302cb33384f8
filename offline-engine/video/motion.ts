/** Movements over time. */
import { seededRandom } from '../image/seeded-random.ts';

/** Interpolates between two values. */
export const between = (from: number, to: number, share: number): number => from + (to - from) * share;

/** The share of a period that has passed: 0 before the period and 1 after it. */
export const passed = (seconds: number, from: number, duration: number): number =>
  Math.min(1, Math.max(0, (seconds - from) / Math.max(1e-9, duration)));

/** Goes from 0 to 1 with a smooth start and end; 0 before and 1 after. */
export const smooth = (share: number): number => {
  const inside = Math.min(1, Math.max(0, share));
  return inside * inside * (3 - 2 * inside);
};

/** Goes from 0 to 1, overshoots and comes back. */
export const overshooting = (share: number): number => 1 + 2.7 * (share - 1) ** 3 + 1.7 * (share - 1) ** 2;

/** Swings between -1 and 1, this many times a second. */
export const swinging = (seconds: number, timesPerSecond: number): number =>
  Math.sin(2 * Math.PI * timesPerSecond * seconds);

/** Moves irregularly between -1 and 1, about this many times per second, always the same for the same seed. */
export const sway = (seed: string, timesPerSecond: number): ((seconds: number) => number) => {
  const random = seededRandom(seed);
  const waves = [0.61, 1, 1.73].map((factor) => ({
    turns: factor * timesPerSecond * random.between(0.9, 1.1),
    phase: random.next(),
  }));
  return (seconds) =>
    waves.reduce((sum, { turns, phase }) => sum + swinging(seconds + phase / turns, turns), 0) / waves.length;
};
