/** Correcting the balance and slots of an account, with concurrent changes between its reads and writes. */
import { beforeEach, expect, test } from 'vitest';
import { debitAccount, releaseSlot } from '../../../shared/domain/accounts/account-store.ts';
import type { LedgerRow } from '../../../shared/domain/accounts/ledger.ts';
import { appendLedgerRow } from '../../../shared/domain/accounts/ledger-store.ts';
import { reconcileAccount } from '../../../shared/domain/accounts/reconcile-account.ts';
import { accountKey } from '../../../shared/domain/keys.ts';
import { type HostedStores, stores as storesOf } from '../../../shared/domain/stores.ts';
import { type Task, transitions } from '../../../shared/domain/tasks/task.ts';
import { closeTask, insertTask } from '../../../shared/domain/tasks/task-item.ts';
import type { Clock } from '../../../shared/platform/clock.ts';
import type { Table } from '../../../shared/platform/dynamo-table.ts';
import type { Ids } from '../../../shared/platform/ids.ts';
import { anAccount, aTask, tableInTests, testIds, testTime } from '../../support/test-table.ts';

const clock = { now: () => testTime };

let stores: HostedStores & { clock: Clock; ids: Ids };
let accountId: string;

const host = await tableInTests();
beforeEach(async () => {
  stores = { ...storesOf(host.table, clock), clock, ids: testIds };
  const account = anAccount({ balance: 100 });
  ({ accountId } = account);
  await stores.accounts.insert(account, row(100));
});

const row = (amount: number): LedgerRow => ({ id: testIds.next(), accountId, amount, reason: 'bonus', at: testTime });
const post = async (amount: number) => expect(await stores.accounts.post(row(amount))).toBe('posted');

async function open(given: Partial<Task> = {}): Promise<Task> {
  const task = aTask({ accountId, ...given });
  const byFileAt = task.taskType === 'voice-change' ? testTime : undefined;
  await host.table.transact([
    debitAccount({ ...task, byFileAt }),
    insertTask(task, testTime),
    appendLedgerRow(row(-task.cost)),
  ]);
  return task;
}

const close = (task: Task) =>
  host.table.transact([
    closeTask(task, transitions.completed, { results: [], endedAt: testTime }, testTime),
    releaseSlot({ accountId, taskId: task.taskId, credits: 0 }),
  ]);

const drift = (expression: string, value: unknown) =>
  host.table.update({
    Key: accountKey(accountId),
    UpdateExpression: expression,
    ExpressionAttributeValues: { ':value': value },
  });
const addCredits = (credits: number) => drift('ADD balance :value', credits);
const addSlot = (taskId: string) => drift('ADD openTasks :value', new Set([taskId]));
const loseSlot = (taskId: string) => drift('DELETE openTasks :value', new Set([taskId]));

/** Reconciles an account; `disturb` runs before the first calls of a method of the table. */
function reconcileDisturbed(method: 'get' | 'transact', disturb: () => Promise<unknown>, { times = 1 } = {}) {
  let left = times;
  const before = async () => {
    if (left <= 0) return;
    left -= 1;
    await disturb();
  };
  const table: Table = {
    ...host.table,
    get: async (key) => {
      if (method === 'get') await before();
      return host.table.get(key);
    },
    transact: async (actions) => {
      if (method === 'transact') await before();
      return host.table.transact(actions);
    },
  };
  return reconcileAccount({ ...storesOf(table, clock), clock, ids: testIds }, accountId);
}

const state = async () => {
  const account = await stores.accounts.find(accountId);
  return { balance: account?.balance, sum: await stores.ledger.sum(accountId), openTasks: account?.openTasks };
};

test('reconciliation corrects the balance, frees slots of ended and unknown tasks and restores that of an open one', async () => {
  const [kept, lost, ended] = [await open(), await open(), await open()];
  await close(ended);
  await addCredits(-7);
  await addSlot(ended.taskId);
  await addSlot('unknown');
  await loseSlot(lost.taskId);

  const found = await reconcileAccount(stores, accountId);
  expect(found).toMatchObject({ status: 'reconciled', balanceBefore: 84, balance: 91, slotsRestored: [lost.taskId] });
  expect(new Set(found.status === 'reconciled' ? found.slotsFreed : [])).toEqual(new Set([ended.taskId, 'unknown']));
  expect(await state()).toEqual({ balance: 91, sum: 91, openTasks: [kept.taskId, lost.taskId].toSorted() });
});

test('reconciliation restores a slot to an account without occupied slots, and frees the last occupied one', async () => {
  const lost = await open();
  await loseSlot(lost.taskId);
  expect(await reconcileAccount(stores, accountId)).toMatchObject({ slotsFreed: [], slotsRestored: [lost.taskId] });
  expect(await state()).toMatchObject({ openTasks: [lost.taskId] });

  await close(lost);
  await addSlot(lost.taskId);
  expect(await reconcileAccount(stores, accountId)).toMatchObject({ slotsFreed: [lost.taskId], slotsRestored: [] });
  expect(await host.table.get(accountKey(accountId))).not.toHaveProperty('openTasks');
});

test('reconciliation restores the missing slot of an open task priced by a file’s length, and removes claims on refunds of tasks that have ended', async () => {
  const kept = await open({ taskType: 'voice-change' });
  const lost = await open({ taskType: 'voice-change' });
  await drift('DELETE openFileTasks :value', new Set([lost.taskId]));
  await drift('ADD openFileTasks :value', new Set(['unknown']));
  await addSlot('gone');
  const claims = [
    { caseId: 'older', taskIds: ['gone'] },
    { caseId: 'newer', taskIds: ['gone', kept.taskId] },
  ];
  await drift('SET refundClaims = :value', claims);

  const found = await reconcileAccount(stores, accountId);
  expect(found).toMatchObject({ slotsRestored: [lost.taskId] });
  expect(new Set(found.status === 'reconciled' ? found.slotsFreed : [])).toEqual(new Set(['unknown', 'gone']));
  const both = [kept.taskId, lost.taskId].toSorted();
  expect(await stores.accounts.find(accountId)).toMatchObject({
    openTasks: both,
    openFileTasks: both,
    refundClaims: [{ caseId: 'newer', taskIds: [kept.taskId] }],
  });
});

test('reconciliation can correct the same account repeatedly, down to zero credits', async () => {
  for (const credits of [5, -5, 9]) {
    await addCredits(credits);
    expect(await reconcileAccount(stores, accountId)).toMatchObject({ balanceBefore: 100 + credits, balance: 100 });
  }
  await post(-100);
  await addCredits(1);
  expect(await reconcileAccount(stores, accountId)).toMatchObject({ balanceBefore: 1, balance: 0 });
});

test('reconciliation writes nothing to an account without drift', async () => {
  const { taskId } = await open();
  const before = await host.table.get(accountKey(accountId));
  expect(await reconcileDisturbed('transact', () => Promise.reject(new Error('a write')))).toEqual({
    status: 'reconciled',
    balanceBefore: 97,
    balance: 97,
    slotsFreed: [],
    slotsRestored: [],
  });
  expect(await host.table.get(accountKey(accountId))).toEqual(before);
  expect(before).toMatchObject({ openTasks: new Set([taskId]) });
});

test('reconciliation reports a missing account', async () => {
  expect(await reconcileAccount(stores, 'missing')).toEqual({ status: 'missing' });
});

test('reconciliation writes nothing when the ledger adds up to less than zero', async () => {
  await host.table.transact([appendLedgerRow(row(-101))]);
  await addSlot('unknown');
  expect(await reconcileAccount(stores, accountId)).toEqual({ status: 'negative', sum: -1 });
  expect(await state()).toEqual({ balance: 100, sum: -1, openTasks: ['unknown'] });
});

test('reconciliation discards a ledger sum if rows that cancel each other out were added while it was read', async () => {
  await addCredits(4);
  let reads = 0;
  let writes = 0;
  const table: Table = {
    ...host.table,
    // The first correction reads a balance of 94 and a ledger that sums to 100, both before and after the other change.
    get: async (key) => {
      reads += 1;
      if (reads > 1) return host.table.get(key);
      await post(-10);
      const item = await host.table.get(key);
      await post(10);
      return item;
    },
    // At the first write, the balance is 94 again, but the ledger sums to 90.
    transact: async (actions) => {
      writes += 1;
      if (writes === 1) await post(-10);
      return host.table.transact(actions);
    },
  };
  expect(await reconcileAccount({ ...storesOf(table, clock), clock, ids: testIds }, accountId)).toMatchObject({
    balanceBefore: 94,
    balance: 90,
  });
  expect(await state()).toMatchObject({ balance: 90, sum: 90 });
});

test('reconciliation loses no posting made between its reads and its write', async () => {
  await addCredits(4);
  expect(await reconcileDisturbed('transact', () => post(25))).toMatchObject({ balanceBefore: 129, balance: 125 });
  expect(await state()).toMatchObject({ balance: 125, sum: 125 });
});

test('reconciliation does not repeat a concurrent correction, even if a later posting restores the balance that it read', async () => {
  for (const credits of [4, 6]) {
    await addCredits(credits);
    const between = async () => {
      await reconcileAccount(stores, accountId);
      await post(credits);
    };
    await reconcileDisturbed('transact', between);
    const { balance, sum } = await state();
    expect(balance).toBe(sum);
  }
});

test('reconciliation writes nothing when the account changes during each of five attempts', async () => {
  await addCredits(4);
  await addSlot('unknown');
  const found = await reconcileDisturbed('get', () => post(1), { times: Number.POSITIVE_INFINITY });
  expect(found).toEqual({ status: 'busy' });
  expect(await state()).toEqual({ balance: 109, sum: 105, openTasks: ['unknown'] });
});

test('reconciliation restores no slot for a task that ends before the write', async () => {
  const lost = await open();
  await loseSlot(lost.taskId);
  expect(await reconcileDisturbed('transact', () => close(lost))).toMatchObject({ slotsFreed: [], slotsRestored: [] });
  expect(await state()).toMatchObject({ openTasks: [] });
});

test('reconciliation does not report slots that a concurrent reconciliation has already corrected', async () => {
  const lost = await open();
  await loseSlot(lost.taskId);
  expect(await reconcileDisturbed('transact', () => addSlot(lost.taskId))).toMatchObject({ slotsRestored: [] });
  await addSlot('unknown');
  expect(await reconcileDisturbed('transact', () => loseSlot('unknown'))).toMatchObject({ slotsFreed: [] });
});

test('reconciliation rethrows a database error', async () => {
  await addCredits(4);
  const broken = reconcileDisturbed('transact', () => Promise.reject(new Error('the database is gone')));
  await expect(broken).rejects.toThrow('the database is gone');
});
