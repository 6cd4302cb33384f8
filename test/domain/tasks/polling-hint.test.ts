/** The polling hint: few polls and short waits for tasks of any duration, simulated with a fixed seed and no clock. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PolledRun, simulatePolling } from '../../../bench/polling/simulate-polling.ts';
import { pollingSeconds, requestsPerMinute, timeLimitSeconds } from '../../../shared/contracts/limits.ts';
import { type PolledTask, pollAfterSeconds } from '../../../shared/domain/tasks/polling-hint.ts';

const createdAt = Date.UTC(2027, 0, 1);

const task = (given: Partial<PolledTask> = {}): PolledTask => ({
  createdAt,
  deadlineAt: createdAt + 1000 * timeLimitSeconds.audio,
  progress: 0,
  ...given,
});

const hintAt = (age: number, given: Partial<PolledTask> = {}) => pollAfterSeconds(task(given), createdAt + 1000 * age);

const estimateOf = (seconds: number, spread = 0.3) => ({ typicalMs: 1000 * seconds, spread });

const run = (given: Partial<PolledRun>): PolledRun => ({
  medianSeconds: 30,
  spread: 0.3,
  tasks: 200,
  seed: 1,
  timeLimitSeconds: timeLimitSeconds.audio,
  estimate: { times: 1 },
  ...given,
});

const estimates = {
  'an exact estimate': { times: 1 },
  'no estimate': 'none',
  'an estimate three times too long': { times: 3 },
  'an estimate three times too short': { times: 1 / 3 },
} as const;

describe.each(Object.entries(estimates))('200 tasks that begin with %s', (_, estimate) => {
  describe.each([0.15, 0.3, 0.45])('and whose durations have a spread of %d', (spread) => {
    test.each([10, 30, 60])(
      'and a median of %d s need at most 4 polls each, and a poll notices the end with a median delay of at most 15%',
      (medianSeconds) => {
        const { polls, wait } = simulatePolling(run({ estimate, spread, medianSeconds }));
        expect(polls).toBeLessThanOrEqual(4);
        expect(wait).toBeLessThanOrEqual(0.15);
      },
    );

    test('and a median of 2 s need at most 3 polls each, and a poll notices the end with a median delay of less than 1 s', () => {
      const { polls, waitSeconds } = simulatePolling(run({ estimate, spread, medianSeconds: 2 }));
      expect(polls).toBeLessThanOrEqual(3);
      expect(waitSeconds).toBeLessThan(pollingSeconds.least);
    });

    test('and a median of 10 min need a poll every 30 s and at most nine more at shorter intervals', () => {
      const video = { medianSeconds: 600, timeLimitSeconds: timeLimitSeconds.video };
      const { times, wait } = simulatePolling(run({ estimate, spread, ...video }));
      for (const polls of times) expect(polls.length).toBeLessThanOrEqual((polls.at(-1) ?? 0) / 30 + 9);
      expect(wait).toBeLessThanOrEqual(0.05);
    });
  });
});

test('progress reports reduce the polls and the delay for a task that takes three times as long as estimated', () => {
  const slow = run({ medianSeconds: 90, spread: 0, tasks: 1, estimate: { times: 1 / 3 } });
  const silent = simulatePolling(slow);
  const reporting = simulatePolling({ ...slow, reportsAt: [0.2, 0.4, 0.6, 0.8] });
  expect(reporting.times[0]?.length).toBeLessThan(silent.times[0]?.length ?? 0);
  expect(reporting.wait).toBeLessThan(silent.wait);
});

test('the first poll of a task is requested when the fastest tasks of its type would have ended, after 30 s at most', () => {
  expect(hintAt(0, { estimate: estimateOf(10) })).toBe(10);
  expect(hintAt(0, { estimate: estimateOf(10, 0.5) })).toBe(9);
  expect(hintAt(0, { estimate: estimateOf(0.2) })).toBe(1);
  expect(hintAt(0, { estimate: estimateOf(600) })).toBe(30);
});

test('a task without an estimate is first polled after a fraction of its time limit', () => {
  expect(hintAt(0)).toBe(11);
  expect(hintAt(0, { deadlineAt: createdAt + 1000 * timeLimitSeconds.clips })).toBe(30);
});

test('a task that takes longer than estimated is polled again after a fifth of its age, or after 30 s if that is sooner', () => {
  expect([20, 40, 100, 300].map((age) => hintAt(age, { estimate: estimateOf(10) }))).toEqual([4, 8, 20, 30]);
});

test('three tasks polled one by one stay within the rate limit of a token, whatever their estimates and their progress', () => {
  const estimates = fc.record({
    typicalMs: fc.double({ min: 1, max: 3_600_000, noNaN: true }),
    spread: fc.double({ min: 0.05, max: 1, noNaN: true }),
  });
  fc.assert(
    fc.property(estimates, fc.nat(99), fc.nat(600_000), (estimate, progress, progressMs) => {
      const polled = task({ estimate, progress, progressAt: createdAt + progressMs });
      const times: number[] = [];
      for (let age = 0; age < 600; times.push(age)) age += pollAfterSeconds(polled, createdAt + 1000 * age);
      const busiest = Math.max(...times.map((start) => times.filter((at) => at >= start && at < start + 60).length));
      expect(3 * busiest).toBeLessThanOrEqual(requestsPerMinute);
    }),
  );
});

test('the polling hint does not exceed 30 s even if the clock is behind the one that created the task', () => {
  expect(hintAt(-600, { estimate: estimateOf(10) })).toBe(10);
});
