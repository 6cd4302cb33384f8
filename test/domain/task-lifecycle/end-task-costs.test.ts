/**
 * Ending a task whose costs cannot be counted: costs are only for operators, so the task is refunded and its jobs are
 * stopped nevertheless.
 */
import { expect, test } from 'vitest';
import { debitAccount } from '../../../shared/domain/accounts/account-store.ts';
import { mainJob } from '../../../shared/domain/engine-jobs/engine-job.ts';
import { jobKey, taskKey } from '../../../shared/domain/keys.ts';
import { stores } from '../../../shared/domain/stores.ts';
import { type End, endTask } from '../../../shared/domain/task-lifecycle/end-task.ts';
import type { Task } from '../../../shared/domain/tasks/task.ts';
import { insertTask } from '../../../shared/domain/tasks/task-item.ts';
import type { Engine } from '../../../shared/engines/engine.ts';
import type { Key, LeftOutRow } from '../../../shared/platform/dynamo-table.ts';
import { closedCircuits } from '../../support/closed-circuits.ts';
import { unreachable } from '../../support/end-unnotified.ts';
import { recordedMetrics } from '../../support/recorded-metrics.ts';
import { RecordingLogger } from '../../support/recording-logger.ts';
import { anAccount, aTask, tableInTests, testIds, testTime } from '../../support/test-table.ts';

const clock = { now: () => testTime };
const leftOut: LeftOutRow[] = [];
const stopped: string[] = [];

const host = await tableInTests();
const store = stores({ ...host.table, leftOut: (row) => void leftOut.push(row) }, clock);
const cancel = async (reference: string) => void stopped.push(reference);
const needs = {
  ...store,
  ...unreachable,
  circuits: closedCircuits,
  clock,
  ids: testIds,
  logger: new RecordingLogger(),
  metrics: recordedMetrics(),
  engines: { named: () => ({ cancel }) as Partial<Engine> as Engine },
};

/** A task whose account has no other credits, with a job that its engine has accepted. */
async function taskAtWork(): Promise<Task> {
  const price = { per: 'job', micros: 1, charged: ['canceled'] } as const;
  const task = aTask({ enginePrices: { [mainJob]: price, cut: price } });
  const { accountId, cost, deadlineAt, taskId } = task;
  await store.accounts.insert(anAccount({ accountId, balance: cost }), undefined);
  await host.table.transact([debitAccount(task), insertTask(task, testTime)]);
  const acceptance = { engine: 'offline', reference: taskId, completion: 'callback', deadlineAt } as const;
  await store.engineJobs.recordAcceptance({ taskId, name: mainJob }, acceptance);
  return task;
}

const failed: End = { status: 'failed', code: 'PROVIDER_ERROR' };
const completed: End = { status: 'completed', results: [] };

const damage = (Key: Key, attribute: string) =>
  host.table.update({
    Key,
    UpdateExpression: 'SET #attribute = :bad',
    ExpressionAttributeNames: { '#attribute': attribute },
    ExpressionAttributeValues: { ':bad': 'damaged' },
  });

test.each([
  { end: failed, balance: 3 },
  { end: completed, balance: 0 },
])('a task ends as $end.status, with its refund, although a job and its prices cannot be read', async (one) => {
  const { accountId, taskId } = await taskAtWork();
  await damage(jobKey(taskId, mainJob), 'deadlineAt');
  await damage(taskKey(taskId), 'enginePrices');
  await damage(taskKey(taskId), 'engineCost');
  const task = await store.tasks.find(taskId);
  if (!task) throw new Error('the task is not found');
  expect(await endTask(needs, task, one.end)).toBe(true);
  expect(await store.tasks.find(taskId)).toMatchObject({ status: one.end.status });
  expect(await store.accounts.find(accountId)).toMatchObject({ balance: one.balance, openTasks: [] });
  expect(leftOut).toContainEqual(expect.objectContaining({ kind: 'engine job' }));
});

test('the jobs of a failed task are stopped even if what they cost cannot be counted', async () => {
  const task = await taskAtWork();
  let reads = 0;
  const listReadable = (taskId: string) => {
    reads += 1;
    return reads === 1 ? store.engineJobs.listReadable(taskId) : Promise.reject(new Error('the table is busy'));
  };
  expect(await endTask({ ...needs, engineJobs: { ...store.engineJobs, listReadable } }, task, failed)).toBe(true);
  expect(reads).toBe(2);
  expect(stopped).toContain(task.taskId);
});
