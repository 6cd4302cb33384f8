/** Simulates clients that poll tasks when the service tells them to, without a clock and reproducibly. */
import { xorshift128plus } from 'pure-rand/generator/xorshift128plus';
import { type LearnedDuration, learnDuration } from '../../shared/domain/tasks/duration-estimate.ts';
import { type PolledTask, pollAfterSeconds } from '../../shared/domain/tasks/polling-hint.ts';
import { percentile } from '../percentile.ts';

/** Tasks of one type, one after another. */
export interface PolledRun {
  readonly medianSeconds: number;
  /**
   * The standard deviation of the durations' logarithms: with 0.3, two thirds of the durations are between 26 % below
   * and 35 % above the median.
   */
  readonly spread: number;
  readonly tasks: number;
  readonly seed: number;
  readonly timeLimitSeconds: number;
  /** What the service has learned before the first task: the median times a factor, or nothing. */
  readonly estimate: { readonly times: number } | 'none';
  /** The parts of a task's duration after which its engine reports its progress, which is assumed to be linear. */
  readonly reportsAt?: readonly number[];
}

/** What the clients experienced. */
export interface PolledResult {
  /** The mean number of polls of a task, including the one that finds it ended. */
  readonly polls: number;
  /** The median time from the end of a task to the poll that finds it ended, in seconds, and relative to its duration. */
  readonly waitSeconds: number;
  readonly wait: number;
  /** The times of one client's polls of each task, in seconds since its creation. */
  readonly times: readonly (readonly number[])[];
}

const startedAt = Date.UTC(2027, 0, 1);

/** Numbers of a standard normal distribution, by the Box–Muller transform. */
function normalNumbers(seed: number): () => number {
  const generator = xorshift128plus(seed);
  const uniform = () => ((generator.next() >>> 0) + 0.5) / 2 ** 32;
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

/** The moments of all polls of a task, until one finds it ended. */
function pollsOf(task: PolledTask, durationMs: number, reportsAt: readonly number[]): number[] {
  const times: number[] = [];
  const progressAt = (age: number) => reportsAt.findLast((share) => share * durationMs <= age) ?? 0;
  for (let age = 0; age < durationMs; times.push(age / 1000)) {
    const share = progressAt(age);
    const reported = share > 0 && { progress: 100 * share, progressAt: task.createdAt + share * durationMs };
    age += 1000 * pollAfterSeconds({ ...task, ...reported }, task.createdAt + age);
  }
  return times;
}

export function simulatePolling(run: PolledRun): PolledResult {
  const { medianSeconds, spread, tasks, timeLimitSeconds, reportsAt = [] } = run;
  const normal = normalNumbers(run.seed);
  let learned: LearnedDuration | undefined =
    run.estimate === 'none'
      ? undefined
      : { typicalMs: 1000 * medianSeconds * run.estimate.times, spread, tasks: 1000, learnedAt: startedAt };
  let now = startedAt;
  const waits: { readonly seconds: number; readonly relative: number }[] = [];
  const times: number[][] = [];
  for (let task = 0; task < tasks; task += 1) {
    const durationMs = Math.round(1000 * medianSeconds * Math.exp(spread * normal()));
    const estimate = learned && { typicalMs: learned.typicalMs, spread: learned.spread };
    const created = { createdAt: now, deadlineAt: now + 1000 * timeLimitSeconds, progress: 0 };
    const polled = pollsOf({ ...created, ...(estimate && { estimate }) }, durationMs, reportsAt);
    const seconds = (polled.at(-1) ?? 0) - durationMs / 1000;
    waits.push({ seconds, relative: (1000 * seconds) / durationMs });
    times.push(polled);
    now += durationMs;
    learned = learnDuration(learned, durationMs, now);
  }
  return {
    polls: times.reduce((sum, { length }) => sum + length, 0) / tasks,
    waitSeconds: percentile(
      waits.map(({ seconds }) => seconds),
      0.5,
    ),
    wait: percentile(
      waits.map(({ relative }) => relative),
      0.5,
    ),
    times,
  };
}
