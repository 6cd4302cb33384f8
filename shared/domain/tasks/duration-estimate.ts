/** How long tasks of one type take on one route, as learned from the tasks that were completed last. */
import * as z from 'zod';
import { once } from '../../contracts/once.ts';

/**
 * The durations of earlier tasks when a task is created: their median, and the standard deviation of their logarithms.
 */
export const DurationEstimate = once(() =>
  z.object({ typicalMs: z.number().positive(), spread: z.number().positive() }),
);
export type DurationEstimate = Readonly<z.output<ReturnType<typeof DurationEstimate>>>;

/**
 * The estimate as it is kept up to date, with the number of tasks that it was learned from and the time when the last
 * of them ended.
 */
export const LearnedDuration = once(() => DurationEstimate().extend({ tasks: z.int().positive(), learnedAt: z.int() }));
export type LearnedDuration = Readonly<z.output<ReturnType<typeof LearnedDuration>>>;

/** The spread that is assumed after a single task, whose duration says nothing about the spread. */
const firstSpread = 0.5;
const leastSpread = 0.05;
const mostSpread = 1;
/** The standard deviation of a normal distribution is this many times its mean absolute deviation. */
const deviationFactor = 1.25;

/**
 * The least weight of a new duration. At first each task has the weight of one in a mean; later old durations fade, so
 * that an estimate follows a change.
 */
const leastWeight = { typical: 1 / 4, spread: 1 / 8 } as const;

/** After this many tasks, an estimate is known well enough to be updated only now and then. */
const warmTasks = 8;
const updateEveryMs = 10_000;

/**
 * Whether an estimate should learn from a task that ended now. It does not learn from every task, because all tasks on
 * the route share its row.
 */
export const isDue = (known: LearnedDuration | undefined, now: number): boolean =>
  !known || known.tasks < warmTasks || now - known.learnedAt >= updateEveryMs;

const rounded = (value: number): number => Number(value.toPrecision(4));

/**
 * The estimate after one more task. It is computed from logarithms, because durations of tasks vary by factors and a
 * single slow task must not dominate. The two weights are like those of TCP's estimate of round trips (RFC 6298).
 */
export function learnDuration(known: LearnedDuration | undefined, durationMs: number, now: number): LearnedDuration {
  const duration = Math.max(1, durationMs);
  if (!known) return { typicalMs: duration, spread: firstSpread, tasks: 1, learnedAt: now };
  const tasks = known.tasks + 1;
  const deviation = Math.log(duration / known.typicalMs);
  const typicalMs = known.typicalMs * Math.exp(deviation * Math.max(leastWeight.typical, 1 / tasks));
  const surprise = Math.abs(deviation) * deviationFactor - known.spread;
  const spread = known.spread + surprise * Math.max(leastWeight.spread, 1 / tasks);
  return {
    typicalMs: rounded(typicalMs),
    spread: rounded(Math.min(mostSpread, Math.max(leastSpread, spread))),
    tasks,
    learnedAt: now,
  };
}
