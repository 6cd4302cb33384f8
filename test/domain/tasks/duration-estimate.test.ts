/** What is learned from the durations of tasks, and how often. */
import { expect, test } from 'vitest';
import {
  isDue,
  type LearnedDuration,
  LearnedDuration as LearnedRow,
  learnDuration,
} from '../../../shared/domain/tasks/duration-estimate.ts';

const now = Date.UTC(2027, 0, 1);

const learnAll = (durations: readonly number[], known?: LearnedDuration) =>
  durations.reduce<LearnedDuration | undefined>((learned, duration) => learnDuration(learned, duration, now), known);

const times = <Value>(count: number, value: Value): Value[] => Array.from({ length: count }, () => value);

test('the first task sets the estimate to its duration, and equal durations reduce the spread to its minimum', () => {
  expect(learnAll([8000])).toMatchObject({ typicalMs: 8000, spread: 0.5, tasks: 1 });
  expect(learnAll(times(40, 8000))).toMatchObject({ typicalMs: 8000, spread: 0.05, tasks: 40 });
});

test('an estimate that is three times too high or too low is corrected within ten tasks', () => {
  const known = { typicalMs: 30_000, spread: 0.2, tasks: 500, learnedAt: now };
  for (const changed of [10_000, 90_000]) {
    const { typicalMs = 0 } = learnAll(times(10, changed), known) ?? {};
    expect(Math.abs(Math.log(typicalMs / changed))).toBeLessThan(0.1);
  }
});

test('one task that takes a hundred times as long raises the estimate less than fourfold', () => {
  const known = { typicalMs: 10_000, spread: 0.2, tasks: 500, learnedAt: now };
  expect(learnDuration(known, 1_000_000, now).typicalMs).toBeLessThan(40_000);
});

test('every duration from zero to an hour results in an estimate that can be stored and read again', () => {
  let learned: LearnedDuration | undefined;
  for (const duration of [-5, 0, 1, 3_600_000, 0, 3_600_000]) {
    learned = learnDuration(learned, duration, now);
    expect(LearnedRow().parse(learned)).toEqual(learned);
  }
});

test('each of the first eight tasks updates an estimate, and then at most one task every ten seconds', () => {
  const known = { typicalMs: 10_000, spread: 0.2, learnedAt: now };
  expect(isDue(undefined, now)).toBe(true);
  expect(isDue({ ...known, tasks: 7 }, now)).toBe(true);
  expect(isDue({ ...known, tasks: 8 }, now)).toBe(false);
  expect(isDue({ ...known, tasks: 8 }, now + 9_999)).toBe(false);
  expect(isDue({ ...known, tasks: 8 }, now + 10_000)).toBe(true);
});
