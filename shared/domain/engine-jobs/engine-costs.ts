/** What engines charge for a task: counted once, with its end, and raised once for work that begins too late to be seen. */
import type { Action, Table } from '../../platform/dynamo-table.ts';
import { TransactionCanceled } from '../../platform/dynamo-table.ts';
import { type Counts, costCounts, type EngineCost } from '../figures/counts.ts';
import { countFigures } from '../figures/figures-store.ts';
import { taskKey } from '../keys.ts';
import type { Task } from '../tasks/task.ts';
import { evenDeleted, type TaskStore } from '../tasks/task-store.ts';
import { isTestAccount } from '../test-account.ts';
import { type EngineJobState, type JobId, mainJob } from './engine-job.ts';
import { type EngineJobStore, raiseJobCost, settleJob } from './engine-job-store.ts';
import { jobCost } from './job-cost.ts';

export interface TaskCosts {
  readonly micros: number;
  readonly counts: Counts;
  /** Settles the costs of jobs without an outcome; fails if one of them has changed meanwhile. */
  readonly actions: readonly Action[];
}

type Job = EngineJobState & JobId;

/** What each job of a task costs. Erased jobs no longer say what their lost submissions cost, but the task keeps the sum. */
export function costsOf(task: Task, jobs: readonly Job[]): readonly EngineCost[] {
  const costs = jobs.map((job) => ({ engine: job.engine ?? task.engine, micros: jobCost(task, job) }));
  if (!task.deletion) return costs;
  return [...costs, { engine: task.engine, micros: (task.engineCost ?? 0) - sumOfMicros(costs) }];
}

const sumOfMicros = (costs: readonly EngineCost[]): number => costs.reduce((sum, { micros }) => sum + micros, 0);

/** What a task costs that ends now. Test tasks cost nothing. */
export async function costsAtEnd(
  engineJobs: Pick<EngineJobStore, 'listReadable'>,
  task: Task,
  at: number,
): Promise<TaskCosts> {
  if (isTestAccount(task.accountId)) return { micros: 0, counts: {}, actions: [] };
  const { taskId } = task;
  const found = await engineJobs.listReadable(taskId);
  // The main job may begin while the task ends: then its row must not be one that appeared unseen.
  const jobs = found.some(({ name }) => name === mainJob) ? found : [...found, { taskId, name: mainJob }];
  const costs = costsOf(task, jobs);
  const open = jobs.filter(({ outcome }) => !outcome);
  return {
    micros: sumOfMicros(costs),
    counts: costCounts(task, costs),
    actions: open.map((job) => settleJob(job, job.reference, jobCost(task, { ...job, lostReferences: [] }), at)),
  };
}

interface Ended extends Task {
  readonly endedAt: number;
}

/**
 * Counts the costs of jobs that began while their task failed, after its jobs were read. Only the clips workflow has
 * jobs that begin on their own.
 */
export async function countLateJobs(
  { engineJobs, table }: { readonly engineJobs: Pick<EngineJobStore, 'listReadable'>; readonly table: Table },
  task: Ended,
): Promise<void> {
  if (Object.keys(task.enginePrices ?? {}).length < 2) return;
  const late = (await engineJobs.listReadable(task.taskId)).filter(({ outcome, isSettled }) => !outcome && !isSettled);
  for (const job of late) {
    const micros = jobCost(task, job);
    if (micros > 0) await addCost(table, task, job, micros);
  }
}

/**
 * Raises the cost of an ended task, if one of its jobs turns out to cost more than was settled: an engine may accept a
 * job, or finish it, while its task ends. The figures are those of the day of the end.
 */
export async function raiseCost(
  { table, tasks }: { readonly table: Table; readonly tasks: Pick<TaskStore, 'find'> },
  job: JobId & EngineJobState,
  to: number,
): Promise<void> {
  if (!job.isSettled || to <= (job.costMicros ?? 0)) return;
  const task = await tasks.find(job.taskId, evenDeleted);
  if (task?.endedAt !== undefined) await addCost(table, { ...task, endedAt: task.endedAt }, job, to);
}

async function addCost(table: Table, task: Ended, job: Job, to: number): Promise<void> {
  if (isTestAccount(task.accountId)) return;
  const { costMicros: from } = job;
  const more = to - (from ?? 0);
  try {
    await table.transact([
      raiseJobCost(job, { from, to }),
      {
        Update: {
          Key: taskKey(job.taskId),
          UpdateExpression: 'ADD engineCost :more',
          ConditionExpression: 'attribute_exists(pk)',
          ExpressionAttributeValues: { ':more': more },
        },
      },
      ...countFigures(
        task.accountId,
        task.endedAt,
        costCounts(task, [{ engine: job.engine ?? task.engine, micros: more }]),
      ),
    ]);
  } catch (error) {
    // Another attempt has raised the cost of the task.
    if (!(error instanceof TransactionCanceled)) throw error;
  }
}
