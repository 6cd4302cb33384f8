/**
 * What engines charge for a task. The costs are added up in the transaction that ends the task, and raised at most once
 * per job that begins too late to be seen then.
 */
import type { Action, Table } from '../../platform/dynamo-table.ts';
import { TransactionCanceled } from '../../platform/dynamo-table.ts';
import { type Counts, costCounts, type EngineCost } from '../figures/counts.ts';
import { countFigures } from '../figures/figures-store.ts';
import { taskKey } from '../keys.ts';
import type { Stores } from '../stores.ts';
import { hasErasedJobs } from '../tasks/retention.ts';
import type { Task } from '../tasks/task.ts';
import { evenDeleted } from '../tasks/task-store.ts';
import { isTestAccount } from '../test-account.ts';
import { type EngineJobState, type JobId, mainJob, rankingJob } from './engine-job.ts';
import { type EngineJobStore, raiseJobCost, settleJob } from './engine-job-store.ts';
import { jobCost } from './job-cost.ts';

export interface TaskCosts {
  readonly micros: number;
  readonly counts: Counts;
  /**
   * Writes that fix the costs of jobs without an outcome; they fail if one of the jobs has changed since it was read.
   */
  readonly actions: readonly Action[];
  /** The names of the jobs whose costs these are. */
  readonly jobs: ReadonlySet<string>;
}

type Job = EngineJobState & JobId;

/**
 * What each job of a task costs. Erased jobs no longer say what their lost submissions cost, but the task keeps the sum.
 */
export function costsOf(task: Task, jobs: readonly Job[]): readonly EngineCost[] {
  const costs = jobs.map((job) => ({ engine: job.engine ?? task.engine, micros: jobCost(task, job) }));
  if (!hasErasedJobs(task)) return costs;
  return [...costs, { engine: task.engine, micros: (task.engineCost ?? 0) - sumOfMicros(costs) }];
}

/** What the latest submission of a job costs; submissions that the engine has lost are counted separately. */
const latestCost = (task: Task, job: Job): number => jobCost(task, { ...job, lostReferences: [] });

const sumOfMicros = (costs: readonly EngineCost[]): number => costs.reduce((sum, { micros }) => sum + micros, 0);

/** Whether a task has other jobs than the main one: those of the clips workflow. */
const hasSeveralJobs = ({ enginePrices = {} }: Task): boolean => Object.keys(enginePrices).length > 1;

/** What a task that ends now costs. Test tasks cost nothing. */
export async function costsAtEnd(
  engineJobs: Pick<EngineJobStore, 'listReadable'>,
  task: Task,
  at: number,
): Promise<TaskCosts> {
  if (isTestAccount(task.accountId)) return { micros: 0, counts: {}, actions: [], jobs: new Set() };
  const { taskId } = task;
  const found = await engineJobs.listReadable(taskId);
  // These jobs may begin while the task ends, so the transaction requires that no rows of them have appeared since the
  // jobs were read.
  const begin = hasSeveralJobs(task) ? [mainJob, rankingJob] : [mainJob];
  const unseen = begin.filter((name) => !found.some((job) => job.name === name));
  const jobs: readonly Job[] = [...found, ...unseen.map((name) => ({ taskId, name }))];
  const costs = costsOf(task, jobs);
  const open = jobs.filter(({ outcome }) => !outcome);
  return {
    micros: sumOfMicros(costs),
    counts: costCounts(task, costs),
    actions: open.map((job) => settleJob(job, latestCost(task, job), at)),
    jobs: new Set(jobs.map(({ name }) => name)),
  };
}

interface Ended extends Task {
  readonly endedAt: number;
}

/** How often the costs of a job that has changed meanwhile are recorded again. */
const maxAttempts = 5;

/**
 * Adds the costs of jobs that began while their task failed, after its jobs were read; only the clips workflow has jobs
 * that begin on their own. `counted` are the jobs whose costs were recorded with the task's end.
 */
export async function countLateJobs(
  { engineJobs, table }: { readonly engineJobs: Pick<EngineJobStore, 'listReadable'>; readonly table: Table },
  task: Ended,
  counted: ReadonlySet<string>,
): Promise<void> {
  if (!hasSeveralJobs(task) || isTestAccount(task.accountId)) return;
  for (let tries = 1; tries <= maxAttempts; tries += 1) {
    const jobs = await engineJobs.listReadable(task.taskId);
    const late = jobs.filter(({ name, isSettled }) => !isSettled && !counted.has(name));
    if (late.length === 0) return;
    for (const job of late) await addCost(table, task, job, { to: latestCost(task, job), more: jobCost(task, job) });
  }
}

/**
 * Raises the cost of an ended task if one of its jobs turns out to cost more than was recorded: an engine may accept a
 * job, or finish it, while its task ends. The figures that are raised are those of the day on which the task ended.
 */
export async function raiseCost(
  { engineJobs, table, tasks }: Pick<Stores, 'engineJobs' | 'table' | 'tasks'>,
  job: Job,
  to: number,
): Promise<void> {
  let state = job;
  for (let tries = 1; tries <= maxAttempts; tries += 1) {
    const { costMicros: from = 0, isSettled } = state;
    if (!isSettled || to <= from) return;
    const task = await tasks.find(job.taskId, evenDeleted);
    if (task?.endedAt === undefined || isTestAccount(task.accountId)) return;
    if (await addCost(table, { ...task, endedAt: task.endedAt }, state, { to, more: to - from })) return;
    state = { ...(await engineJobs.find(job)), taskId: job.taskId, name: job.name };
  }
}

/**
 * Adds what a language model charges for ranking the passages of a video, as soon as it is known. Each call counts,
 * because an attempt that is repeated is charged again, and so does a call during which the task ended.
 */
export async function addRankingCost(
  { engineJobs, table, tasks }: Pick<Stores, 'engineJobs' | 'table' | 'tasks'>,
  taskId: string,
  { engine, micros }: EngineCost,
): Promise<void> {
  const job = { taskId, name: rankingJob };
  if (micros === 0 || (await engineJobs.addCost(job, engine, micros))) return;
  for (let tries = 1; tries <= maxAttempts; tries += 1) {
    const task = await tasks.find(taskId, evenDeleted);
    if (task?.endedAt === undefined) return;
    const state = { engine, ...(await engineJobs.find(job)), ...job };
    const to = (state.costMicros ?? 0) + micros;
    if (await addCost(table, { ...task, endedAt: task.endedAt }, state, { to, more: micros })) return;
  }
}

/**
 * Fixes the cost of a job, and adds it to that of its task, in one transaction; false if the job has changed since it
 * was read.
 */
async function addCost(
  table: Table,
  task: Ended,
  job: Job,
  { to, more }: { readonly to: number; readonly more: number },
): Promise<boolean> {
  const added: Action = {
    Update: {
      Key: taskKey(job.taskId),
      UpdateExpression: 'ADD engineCost :more',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':more': more },
    },
  };
  const costs = costCounts(task, [{ engine: job.engine ?? task.engine, micros: more }]);
  try {
    await table.transact([
      raiseJobCost(job, to),
      ...(more > 0 ? [added] : []),
      ...countFigures(task.accountId, task.endedAt, costs),
    ]);
    return true;
  } catch (error) {
    if (!(error instanceof TransactionCanceled)) throw error;
    return false;
  }
}
