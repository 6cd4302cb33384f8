/** Recounts an account's figures of a day from its ledger, its tasks and their jobs, which say the same if nothing drifts. */
import { longestTimeLimitSeconds } from '../../contracts/limits.ts';
import { type Clock, dayAt, dayMs } from '../../platform/clock.ts';
import { firstIdAt } from '../../platform/ids.ts';
import { costsOf } from '../engine-jobs/engine-costs.ts';
import { type Counts, costCounts, endCounts, rowCounts, sumOf } from '../figures/counts.ts';
import { findFigures } from '../figures/figures-store.ts';
import type { Stores } from '../stores.ts';
import type { Task } from '../tasks/task.ts';
import { evenDeleted } from '../tasks/task-store.ts';
import { isTestAccount } from '../test-account.ts';
import type { Day } from '../usage/usage.ts';
import { settledAfterMs } from './ledger.ts';
import { ledgerRows } from './ledger-store.ts';

type Needs = Pick<Stores, 'engineJobs' | 'table' | 'tasks'> & { readonly clock: Clock };

/** How long the figures of one account are recounted: meanwhile, other accounts wait for the audit of their balances. */
export const longestRecountMs = 30_000;

/** How many tasks, and then their jobs, are read at once. */
const atOnce = 50;

/** An account had too many tasks on a day to recount its figures in time. */
export class RecountTooLong extends Error {
  override readonly name = 'RecountTooLong';
}

/** The latest day of which nothing more can be counted. */
export const settledDay = (clock: Clock): Day => dayAt(clock.now() - settledAfterMs - dayMs);

/** Payments have no rows of their own in the ledger, so their money is not recounted. */
const isRecounted = ([counter]: readonly [string, number]): boolean => !/^(?:revenue|returned) /.test(counter);

const rangeOf = (day: Day) => ({
  // A task that ended on the day was created at most its time limit, and the delay of the sweeper, earlier.
  after: firstIdAt(Date.parse(day) - 2 * longestTimeLimitSeconds * 1000),
  before: firstIdAt(Date.parse(day) + dayMs + settledAfterMs),
});

interface Recount {
  readonly counts: Counts;
  /** Types of tasks that were deleted. Their erased jobs no longer say at which engines submissions were lost. */
  readonly deletedTypes: ReadonlySet<string>;
}

const taskCounts = async ({ engineJobs }: Needs, task: Task): Promise<Counts> =>
  sumOf([endCounts(task, task.errorCode), costCounts(task, costsOf(task, await engineJobs.listReadable(task.taskId)))]);

/** Recounts a day. The ledger names every task, even a deleted one. @throws {RecountTooLong} */
async function recount(needs: Needs, accountId: string, day: Day): Promise<Recount> {
  const until = needs.clock.now() + longestRecountMs;
  const checkTime = () => {
    if (needs.clock.now() >= until) throw new RecountTooLong(`the tasks of ${day} could not be recounted in time`);
  };
  const taskIds = new Set<string>();
  const deletedTypes = new Set<string>();
  let counts: Counts = {};
  for await (const row of ledgerRows(needs.table, accountId, rangeOf(day))) {
    checkTime();
    if (row.taskId !== undefined) taskIds.add(row.taskId);
    else if (dayAt(row.at) === day) counts = sumOf([counts, rowCounts(row)]);
  }
  const ids = [...taskIds];
  for (let start = 0; start < ids.length; start += atOnce) {
    checkTime();
    const tasks = await needs.tasks.findMany(ids.slice(start, start + atOnce), evenDeleted);
    const ended = tasks.filter(({ endedAt }) => endedAt !== undefined && dayAt(endedAt) === day);
    for (const { deletion, taskType } of ended) if (deletion) deletedTypes.add(taskType);
    counts = sumOf([counts, ...(await Promise.all(ended.map((task) => taskCounts(needs, task))))]);
  }
  return { counts, deletedTypes };
}

/** Adds up the costs of each of these types of tasks, whatever their engines. */
const mergeCosts = (counts: Counts, taskTypes: ReadonlySet<string>): Counts =>
  sumOf(
    Object.entries(counts).map(([counter, amount]) => {
      const [measure, taskType = ''] = counter.split(' ');
      return { [measure === 'cost' && taskTypes.has(taskType) ? `cost ${taskType}` : counter]: amount };
    }),
  );

/** A figure that differs from what the ledger, the tasks and their jobs say. */
export interface FigureDrift {
  readonly accountId: string;
  readonly day: Day;
  readonly figure: string;
  readonly counted: number;
  readonly recounted: number;
}

/** @throws {RecountTooLong} */
export async function auditFigures(needs: Needs, accountId: string, day: Day): Promise<readonly FigureDrift[]> {
  if (isTestAccount(accountId)) return [];
  const [stored, { counts, deletedTypes }] = await Promise.all([
    findFigures(needs.table, accountId, day),
    recount(needs, accountId, day),
  ]);
  const counted = mergeCosts(Object.fromEntries(Object.entries(stored).filter(isRecounted)), deletedTypes);
  const recounted = mergeCosts(counts, deletedTypes);
  return [...new Set([...Object.keys(counted), ...Object.keys(recounted)])].toSorted().flatMap((figure) => {
    const [one, other] = [counted[figure] ?? 0, recounted[figure] ?? 0];
    return one === other ? [] : [{ accountId, day, figure, counted: one, recounted: other }];
  });
}
