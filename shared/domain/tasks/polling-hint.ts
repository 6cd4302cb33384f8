/** When a client should poll an open task again: few polls, none of them long after the task has ended. */
import { pollingSeconds } from '../../contracts/limits.ts';
import type { DurationEstimate } from './duration-estimate.ts';
import type { Task } from './task.ts';

export type PolledTask = Pick<Task, 'createdAt' | 'deadlineAt' | 'estimate' | 'progress' | 'progressAt'>;

/** The share of its time limit that a task is expected to take, as long as no similar task has been completed. */
const usualShare = 1 / 40;
const unknownSpread = 0.8;

/**
 * Few tasks take less than the median minus `early` times the spread, and few take more than the median plus `late`
 * times the spread.
 */
const early = 0.6;
const late = 1.2;

/**
 * The factor by which a task's age grows from one poll to the next: the wait after its end is then about a tenth of its
 * duration.
 */
const growth = 1.2;

/**
 * Once this share of the time by which most tasks have ended is over, the next poll is no longer moved forward to that
 * time.
 */
const nearly = 0.95;

const initialEstimate = ({ createdAt, deadlineAt }: PolledTask): DurationEstimate => ({
  typicalMs: (deadlineAt - createdAt) * usualShare,
  spread: unknownSpread,
});

/** The estimate, corrected by the progress that the engine reported; the further it is, the more it counts. */
function estimateOf(task: PolledTask): DurationEstimate {
  const { createdAt, estimate = initialEstimate(task), progress, progressAt } = task;
  if (progressAt === undefined || progress <= 0) return estimate;
  const share = progress / 100;
  const projectedMs = Math.max(1, progressAt - createdAt) / share;
  return {
    typicalMs: estimate.typicalMs ** (1 - share) * projectedMs ** share,
    spread: estimate.spread * (1 - share),
  };
}

/**
 * How many whole seconds to wait before the next poll of an open task. The first poll comes when the fastest tasks like it
 * have ended, and each further one when the task is a fifth older, so that tasks of any duration are polled about as often.
 */
export function pollAfterSeconds(task: PolledTask, now: number): number {
  const { typicalMs, spread } = estimateOf(task);
  const age = Math.max(0, now - task.createdAt);
  const [earliest, latest] = [typicalMs * Math.exp(-early * spread), typicalMs * Math.exp(late * spread)];
  const grown = Math.max(age, earliest) * growth;
  const next = age < latest * nearly ? Math.min(grown, latest) : grown;
  const { least, most } = pollingSeconds;
  return Math.min(most, Math.max(least, Math.round((next - age) / 1000)));
}
