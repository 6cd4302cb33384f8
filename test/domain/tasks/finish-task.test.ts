/** The only way out of a task: what it moves, what it leaves and that it happens once. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { debitAccount } from '../../../shared/domain/accounts/account-store.ts';
import { taskKey } from '../../../shared/domain/keys.ts';
import { type Stores, stores } from '../../../shared/domain/stores.ts';
import { type Finish, finishTask } from '../../../shared/domain/tasks/finish-task.ts';
import { deliveryLookMs, type Task } from '../../../shared/domain/tasks/task.ts';
import { insertTask, lookTime } from '../../../shared/domain/tasks/task-item.ts';
import type { Table } from '../../../shared/platform/dynamo-table.ts';
import { type RecordedMetrics, recordedMetrics } from '../../support/recorded-metrics.ts';
import { anAccount, aTask, type TestTable, testIds, testTable, testTime } from '../../support/test-table.ts';

let host: TestTable;
let store: Stores;

let metrics: RecordedMetrics;

const clock = { now: () => testTime };

beforeAll(async () => {
  host = await testTable();
});
afterAll(() => host.close());
beforeEach(() => {
  store = stores(host.table, clock);
  metrics = recordedMetrics();
});

const completed: Finish = {
  status: 'completed',
  results: [{ key: 'results/1.mp3', contentType: 'audio/mpeg', bytes: 5 }],
};
const failed: Finish = { status: 'failed', code: 'PROVIDER_ERROR' };

const finish = (task: Task, how: Finish, table: Table = host.table) =>
  finishTask({ ...store, table, clock, ids: testIds, metrics }, task, how);

/** A task as its creation leaves it: debited, with a slot. */
async function openTask(given: Partial<Task> = {}): Promise<Task> {
  const task = aTask(given);
  await store.accounts.insert(anAccount({ accountId: task.accountId, balance: 10 + task.cost }), undefined);
  await host.table.transact([debitAccount(task), insertTask(task, testTime)]);
  return task;
}

const standing = async ({ taskId, accountId }: Task) => ({
  task: await store.tasks.find(taskId),
  account: await store.accounts.find(accountId),
  rows: await store.ledger.list(accountId, { limit: 10, offset: 0 }),
});

describe('a task that completes', () => {
  test('keeps its results and its price, and frees its slot', async () => {
    const task = await openTask();
    expect(await finish(task, completed)).toBe(true);
    const { results } = completed;
    const after = { ...task, status: 'completed', progress: 100, results, endedAt: testTime };
    expect(await standing(task)).toMatchObject({ task: after, account: { balance: 10, openTasks: [] }, rows: [] });
    expect((await standing(task)).task).not.toHaveProperty('errorCode');
  });
});

describe('a task that fails', () => {
  test('keeps its reason, frees its slot and is refunded in full, with the row that says why', async () => {
    const task = await openTask();
    expect(await finish(task, failed)).toBe(true);
    const { task: after, account, rows } = await standing(task);
    expect(after).toStrictEqual({ ...task, status: 'failed', errorCode: 'PROVIDER_ERROR', endedAt: testTime });
    expect(account).toMatchObject({ balance: 10 + task.cost, openTasks: [] });
    const { taskId, accountId, taskType, cost } = task;
    expect(rows).toEqual([
      { id: expect.any(String), accountId, amount: cost, reason: 'refund', at: testTime, taskType, taskId },
    ]);
  });

  test('and cost nothing leaves no row', async () => {
    const task = await openTask({ cost: 0 });
    expect(await finish(task, failed)).toBe(true);
    expect(await standing(task)).toMatchObject({ task: { status: 'failed' }, account: { balance: 10 }, rows: [] });
  });
});

test('a task whose webhook is owed is looked at again when that may be late', async () => {
  const callbackUrl = 'https://example.com/hook';
  const task = await openTask({ callbackUrl, webhookStatus: 'pending', webhookFrom: 1 });
  await finish(task, completed);
  const item = await host.table.get(taskKey(task.taskId));
  expect(item).toMatchObject({ openSk: lookTime(testTime + deliveryLookMs) });
});

describe('a task that has ended', () => {
  test('stays as it is, whatever comes later, and is refunded once', async () => {
    const task = await openTask();
    expect(await finish(task, failed)).toBe(true);
    const before = await standing(task);
    for (const later of [failed, completed]) expect(await finish(task, later)).toBe(false);
    expect(await standing(task)).toEqual(before);
  });

  test('is not even tried to be ended by whoever knows', async () => {
    const untouched = { ...host.table, transact: () => Promise.reject(new Error('there was a write')) };
    for (const status of ['completed', 'failed'] as const) {
      expect(await finish(aTask({ status }), failed, untouched)).toBe(false);
    }
  });
});

describe('an end that can not be written is an error', () => {
  test('when the task is not there', async () => {
    const account = anAccount();
    await store.accounts.insert(account, undefined);
    const nobodys = aTask({ accountId: account.accountId });
    await expect(finish(nobodys, failed)).rejects.toMatchObject({ name: 'TransactionRefused' });
    expect(await standing(nobodys)).toMatchObject({ account: { balance: account.balance }, rows: [] });
  });

  test('when the account is not there, and the task stays open', async () => {
    const task = aTask();
    await host.table.transact([insertTask(task, testTime)]);
    await expect(finish(task, failed)).rejects.toMatchObject({ name: 'TransactionRefused' });
    expect(await store.tasks.find(task.taskId)).toStrictEqual(task);
  });

  test('when the table does not answer', async () => {
    const failure = new Error('no answer');
    const silent = { ...host.table, transact: () => Promise.reject(failure) };
    await expect(finish(await openTask(), failed, silent)).rejects.toBe(failure);
  });
});

describe('operators are told of an end once', () => {
  test('as completed, by its operation', async () => {
    const task = await openTask();
    await finish(task, completed);
    await finish(task, completed);
    expect(metrics.recorded).toEqual([[{ TasksCompleted: 1 }, { operation: 'generateVoice' }]]);
  });

  test('as failed or canceled, by its operation and code, with what was given back', async () => {
    const task = await openTask({ cost: 7 });
    await finish(await openTask({ cost: 3 }), { status: 'failed', code: 'CANCELED' });
    expect(metrics.recorded.splice(0)).toEqual([
      [{ TasksCanceled: 1, CreditsRefunded: 3 }, { operation: 'generateVoice' }],
    ]);
    await finish(task, failed);
    await finish(task, completed);
    const dimensions = { operation: 'generateVoice', code: 'PROVIDER_ERROR' };
    expect(metrics.recorded).toEqual([[{ TasksFailed: 1, CreditsRefunded: 7 }, dimensions]]);
  });
});
