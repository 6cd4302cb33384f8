/**
 * When the parts of a task are erased that its account does not want to keep: by the periods that the account had when
 * it created the task, counted from then.
 */
import { dayMs } from '../../platform/clock.ts';
import { isTerminal, type Task } from './task.ts';

/** The two parts of a task that are erased at their own times. */
export interface ErasedParts {
  readonly results: boolean;
  readonly inputs: boolean;
}

type Retained = Pick<Task, 'createdAt' | 'inputsErasedAt' | 'resultsErasedAt' | 'retention'>;

const after = (createdAt: number, days: number | undefined): number =>
  days === undefined ? Number.POSITIVE_INFINITY : createdAt + days * dayMs;

/** Until when the results of a task are stored. A stage that keeps results for fewer days deletes them earlier. */
export const resultsUntil = ({ createdAt, retention = {} }: Retained, stageDays: number): number =>
  after(createdAt, Math.min(retention.resultsDays ?? stageDays, stageDays));

/** Whether the jobs of a task were erased, which then no longer say what their engines lost. */
export const hasErasedJobs = ({ deletion, inputsErasedAt }: Pick<Task, 'deletion' | 'inputsErasedAt'>): boolean =>
  deletion !== undefined || inputsErasedAt !== undefined;

const dueTimes = ({ createdAt, inputsErasedAt, resultsErasedAt, retention = {} }: Retained) => ({
  results: resultsErasedAt === undefined ? after(createdAt, retention.resultsDays) : Number.POSITIVE_INFINITY,
  inputs: inputsErasedAt === undefined ? after(createdAt, retention.inputsDays) : Number.POSITIVE_INFINITY,
});

/** When the next part of an ended task is due to be erased; undefined if none will be. */
export function nextPartDueAt(task: Retained): number | undefined {
  const { results, inputs } = dueTimes(task);
  const next = Math.min(results, inputs);
  return Number.isFinite(next) ? next : undefined;
}

/** The parts to erase now: none of an open task, or of one whose webhook is being sent, which needs them. */
export function partsDue(task: Task, now: number): ErasedParts {
  const isBusy = !isTerminal(task) || (task.callbackUrl !== undefined && task.webhookStatus === 'pending');
  const { results, inputs } = dueTimes(task);
  return { results: !isBusy && results <= now, inputs: !isBusy && inputs <= now };
}
