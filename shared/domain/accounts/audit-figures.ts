/** Recounts an account's figures of a day from its ledger, its tasks and their jobs, which say the same if nothing drifts. */
import { longestTimeLimitSeconds } from '../../contracts/limits.ts';
import type { Clock } from '../../platform/clock.ts';
import { firstIdAt } from '../../platform/ids.ts';
import { costsOf } from '../engine-jobs/engine-costs.ts';
import { type Counts, costCounts, endCounts, rowCounts, sumOf } from '../figures/counts.ts';
import { dayOf, findFigures } from '../figures/figures-store.ts';
import { indexes, taskIdOf, taskList } from '../keys.ts';
import type { Stores } from '../stores.ts';
import type { Task } from '../tasks/task.ts';
import { evenDeleted } from '../tasks/task-store.ts';
import type { Day } from '../usage/usage.ts';
import { settledAfterMs } from './ledger.ts';
import { ledgerRows } from './ledger-store.ts';

type Needs = Pick<Stores, 'engineJobs' | 'table' | 'tasks'>;

const dayMs = 24 * 3_600_000;

/** The latest day of which nothing more can be counted. */
export const settledDay = ({ now }: Pick<Clock, 'now'>): Day => dayOf(now() - settledAfterMs - dayMs);

/** Payments have no rows of their own in the ledger, so their money is not recounted. */
const isRecounted = ([counter]: readonly [string, number]): boolean => !/^(?:revenue|returned) /.test(counter);

const rangeOf = (day: Day, marginMs: number) => ({
  after: firstIdAt(Date.parse(day) - marginMs),
  before: firstIdAt(Date.parse(day) + dayMs + settledAfterMs),
});

async function* endedOn(needs: Needs, accountId: string, day: Day): AsyncGenerator<Task> {
  const { index, pk } = taskList(accountId, {});
  // A task that ended on the day was created at most its time limit, and the delay of the sweeper, earlier.
  const { after, before } = rangeOf(day, 2 * longestTimeLimitSeconds * 1000);
  const found = needs.table.walk({
    IndexName: index,
    KeyConditionExpression: '#pk = :pk AND #sk BETWEEN :after AND :before',
    ExpressionAttributeNames: { '#pk': indexes.byOwner.pk, '#sk': indexes.byOwner.sk },
    ExpressionAttributeValues: { ':pk': pk, ':after': after, ':before': before },
  });
  for await (const key of found) {
    const task = await needs.tasks.find(taskIdOf(key), evenDeleted);
    if (task?.endedAt !== undefined && dayOf(task.endedAt) === day) yield task;
  }
}

const taskCounts = async ({ engineJobs }: Needs, task: Task): Promise<Counts> =>
  sumOf([endCounts(task, task.errorCode), costCounts(task, costsOf(task, await engineJobs.listReadable(task.taskId)))]);

async function recount(needs: Needs, accountId: string, day: Day): Promise<Counts> {
  const counts: Counts[] = [];
  for await (const row of ledgerRows(needs.table, accountId, rangeOf(day, settledAfterMs))) {
    if (dayOf(row.at) === day) counts.push(rowCounts(row));
  }
  for await (const task of endedOn(needs, accountId, day)) counts.push(await taskCounts(needs, task));
  return sumOf(counts);
}

/** A figure that differs from what the ledger, the tasks and their jobs say. */
export interface FigureDrift {
  readonly accountId: string;
  readonly day: Day;
  readonly figure: string;
  readonly counted: number;
  readonly recounted: number;
}

export async function auditFigures(needs: Needs, accountId: string, day: Day): Promise<readonly FigureDrift[]> {
  const [stored, recounted] = await Promise.all([
    findFigures(needs.table, accountId, day),
    recount(needs, accountId, day),
  ]);
  const counted = Object.fromEntries(Object.entries(stored).filter(isRecounted));
  return [...new Set([...Object.keys(counted), ...Object.keys(recounted)])].toSorted().flatMap((figure) => {
    const [one, other] = [counted[figure] ?? 0, recounted[figure] ?? 0];
    return one === other ? [] : [{ accountId, day, figure, counted: one, recounted: other }];
  });
}
