/**
 * Recounts an account's figures of a day from its ledger, its tasks and their jobs; without errors, the result is the
 * same.
 */
import { longestTimeLimitSeconds } from '../../contracts/limits.ts';
import { type Clock, dayAt, dayMs } from '../../platform/clock.ts';
import { firstIdAt } from '../../platform/ids.ts';
import { costsOf } from '../engine-jobs/engine-costs.ts';
import { type Counts, costCounts, endCounts, rowCounts, sumOf } from '../figures/counts.ts';
import { findFigures } from '../figures/figures-store.ts';
import { productTexts, productTextsCost } from '../figures/product-texts.ts';
import type { Stores } from '../stores.ts';
import { hasErasedJobs } from '../tasks/retention.ts';
import type { Task } from '../tasks/task.ts';
import { evenDeleted } from '../tasks/task-store.ts';
import { isTestAccount } from '../test-account.ts';
import type { Day } from '../usage/usage.ts';
import { settledAfterMs } from './ledger.ts';
import { ledgerRows } from './ledger-store.ts';

type Needs = Pick<Stores, 'engineJobs' | 'table' | 'tasks'> & { readonly clock: Clock };

/**
 * How long the figures of one account may be recounted: meanwhile, the audit of other accounts' balances has to wait.
 */
export const longestRecountMs = 30_000;

/** How many tasks, and then their jobs, are read at once. */
const atOnce = 50;

/** An account had too many tasks on a day to recount its figures in time. */
export class RecountTooLong extends Error {
  override readonly name = 'RecountTooLong';
}

/** The latest day to whose figures nothing can be added any more. */
export const settledDay = (clock: Clock): Day => dayAt(clock.now() - settledAfterMs - dayMs);

/** Payments are not in the ledger as money, only as credits, so figures in money cannot be recounted. */
const isRecounted = ([counter]: readonly [string, number]): boolean => !/^(?:revenue|returned) /.test(counter);

const rangeOf = (day: Day) => ({
  // How long before a day its tasks may have been created: at most the time limit of a task, plus the delay of the
  // sweeper.
  after: firstIdAt(Date.parse(day) - 2 * longestTimeLimitSeconds * 1000),
  before: firstIdAt(Date.parse(day) + dayMs + settledAfterMs),
});

interface Recount {
  readonly counts: Counts;
  /**
   * The types of tasks whose jobs were erased: these no longer say which engines lost submissions, so the costs of these
   * types are compared in total.
   */
  readonly erasedTypes: ReadonlySet<string>;
}

const taskCounts = async ({ engineJobs }: Needs, task: Task): Promise<Counts> =>
  sumOf([endCounts(task, task.errorCode), costCounts(task, costsOf(task, await engineJobs.listReadable(task.taskId)))]);

/** Recounts a day. The ledger names every task, even a deleted one, so none is missed. @throws {RecountTooLong} */
async function recount(needs: Needs, accountId: string, day: Day): Promise<Recount> {
  const until = needs.clock.now() + longestRecountMs;
  const checkTime = () => {
    if (needs.clock.now() >= until) throw new RecountTooLong(`the tasks of ${day} could not be recounted in time`);
  };
  const taskIds = new Set<string>();
  const erasedTypes = new Set<string>();
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
    for (const task of ended) if (hasErasedJobs(task)) erasedTypes.add(task.taskType);
    counts = sumOf([counts, ...(await Promise.all(ended.map((task) => taskCounts(needs, task))))]);
  }
  return { counts, erasedTypes };
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
  const [stored, { counts, erasedTypes }, textMicros] = await Promise.all([
    findFigures(needs.table, accountId, day),
    recount(needs, accountId, day),
    productTextsCost(needs.table, accountId, day),
  ]);
  // Of the texts of products, only the sum at all engines is stored elsewhere, and that not for long.
  const merged = new Set([...erasedTypes, productTexts]);
  const counted = mergeCosts(Object.fromEntries(Object.entries(stored).filter(isRecounted)), merged);
  const textCost = `cost ${productTexts}`;
  const recounted: Counts = { ...mergeCosts(counts, merged), [textCost]: textMicros ?? counted[textCost] ?? 0 };
  return [...new Set([...Object.keys(counted), ...Object.keys(recounted)])].toSorted().flatMap((figure) => {
    const [one, other] = [counted[figure] ?? 0, recounted[figure] ?? 0];
    return one === other ? [] : [{ accountId, day, figure, counted: one, recounted: other }];
  });
}
