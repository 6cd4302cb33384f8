/** The stored form of a task, and the writes that create and end one, on the real table. */
import { describe, expect, test } from 'vitest';
import {
  checkTime,
  deliveryOrder,
  failureShardsOf,
  indexes,
  openShardOf,
  type TaskList,
  taskList,
} from '../../../shared/domain/index-keys.ts';
import { taskIdOf, taskKey } from '../../../shared/domain/keys.ts';
import { type Task, type Transition, transitions } from '../../../shared/domain/tasks/task.ts';
import { allowedFrom, closeTask, type Ending, insertTask, toTask } from '../../../shared/domain/tasks/task-item.ts';
import { testAccountOf } from '../../../shared/domain/test-account.ts';
import { type Item, TransactionCanceled } from '../../../shared/platform/dynamo-table.ts';
import { aTask, tableInTests, testIds, testTime } from '../../support/test-table.ts';

const host = await tableInTests();
const { table } = host;

const callbackUrl = 'https://example.com/hook';
const lookAt = testTime + 30_000;
const completed: Ending = { results: [{ key: 'a', contentType: 'audio/mpeg', bytes: 1 }], endedAt: testTime + 5000 };
const failed: Ending = { errorCode: 'PROVIDER_ERROR', endedAt: testTime + 5000 };

async function inserted(given: Partial<Task> = {}): Promise<Task> {
  const task = aTask(given);
  await table.transact([insertTask(task, testTime)]);
  return task;
}

const end = (task: Task, transition: Transition, ending: Ending) =>
  table.transact([closeTask(task, transition, ending, lookAt)]);

const stored = async ({ taskId }: Task): Promise<Item> => (await table.get(taskKey(taskId))) ?? {};

/** The ids below a key of an index, in the index's order. */
async function indexed(index: keyof typeof indexes, pk: string): Promise<string[]> {
  const rows = table.walk({
    IndexName: index,
    KeyConditionExpression: '#pk = :pk',
    ExpressionAttributeNames: { '#pk': indexes[index].pk },
    ExpressionAttributeValues: { ':pk': pk },
  });
  return (await Array.fromAsync(rows)).map(taskIdOf);
}

const inList = (task: Task, list: TaskList) => {
  const { index, pk } = taskList(task.accountId, list);
  return indexed(index, pk);
};

test('a check time is stored as 13 digits, so its text sorts by time', () => {
  expect(checkTime(testTime)).toBe(String(testTime));
  expect(checkTime(7)).toBe('0000000000007');
});

test('the condition of a status change lists the statuses from which it is allowed and requires that the task exists', () => {
  expect(allowedFrom(transitions.processing)).toEqual({
    condition: 'attribute_exists(pk) AND #status IN (:from0, :from1)',
    values: { ':from0': 'pending', ':from1': 'submitted' },
  });
});

describe('an inserted task', () => {
  test('is read as it was created, without index attributes', async () => {
    const plain = await inserted();
    const rich = await inserted({ callbackUrl, webhookStatus: 'pending', webhookFrom: 1, clientReference: 'order 7' });
    const promise = { width: 720, height: 1280, durationSec: 5, soundMayOutlast: true };
    const promised = await inserted({ promise });
    for (const task of [plain, rich, promised]) expect(toTask(await stored(task))).toStrictEqual(task);
  });

  test('is listed by its account, type and reference, as open, and by its next check', async () => {
    const task = await inserted({ clientReference: 'order 7' });
    const { taskType, clientReference } = task;
    for (const list of [
      {},
      { taskType },
      { clientReference },
      { taskType, clientReference },
      { state: 'open' },
    ] as const)
      expect(await inList(task, list)).toEqual([task.taskId]);
    expect(await indexed('open', openShardOf(task.taskId))).toContain(task.taskId);
    expect(await stored(task)).toMatchObject({ openSk: checkTime(testTime) });
  });

  test('never overwrites an existing task', async () => {
    const task = await inserted();
    const again = table.transact([insertTask({ ...task, cost: 99 }, testTime)]);
    await expect(again).rejects.toBeInstanceOf(TransactionCanceled);
    expect(toTask(await stored(task))).toStrictEqual(task);
  });
});

describe('a stored task that has ended', () => {
  test('has its outcome, and has results only if it was completed', async () => {
    const good = await inserted({ progress: 40 });
    await end(good, transitions.completed, completed);
    expect(toTask(await stored(good))).toStrictEqual({ ...good, ...completed, status: 'completed', progress: 100 });
    const bad = await inserted({ progress: 40 });
    await end(bad, transitions.failed, failed);
    expect(toTask(await stored(bad))).toStrictEqual({ ...bad, ...failed, status: 'failed' });
  });

  test('is listed among the failed tasks of all accounts on the day of its end only if it failed, and not for test tokens', async () => {
    const accountId = testIds.next();
    const [good, bad, tried] = [
      await inserted(),
      await inserted(),
      await inserted({ accountId: testAccountOf(accountId) }),
    ];
    await end(good, transitions.completed, completed);
    for (const task of [bad, tried]) await end(task, transitions.failed, failed);
    const shards = failureShardsOf('2030-01-01');
    const listed = (await Promise.all(shards.map((shard) => indexed('byFailure', shard)))).flat();
    expect([good, bad, tried].map(({ taskId }) => listed.includes(taskId))).toEqual([false, true, false]);
  });

  test('is listed by its end time, with and without its type and reference, and no longer as open', async () => {
    const task = await inserted({ clientReference: 'order 7' });
    await end(task, transitions.failed, failed);
    const { taskType, clientReference } = task;
    expect(await inList(task, { state: 'open' })).toEqual([]);
    for (const list of [{}, { taskType }, { clientReference }, { taskType, clientReference }]) {
      expect(await inList(task, list)).toEqual([task.taskId]);
      expect(await inList(task, { ...list, state: 'failed' })).toEqual([task.taskId]);
      expect(await inList(task, { ...list, state: 'completed' })).toEqual([]);
    }
  });

  test('has no next check, unless a webhook is pending and may become overdue', async () => {
    const quiet = await inserted();
    await end(quiet, transitions.completed, completed);
    expect(await stored(quiet)).not.toHaveProperty('openPk');
    expect(await stored(quiet)).not.toHaveProperty('openSk');
    const owed = await inserted({ callbackUrl, webhookStatus: 'pending', webhookFrom: 1 });
    await end(owed, transitions.completed, completed);
    expect(await stored(owed)).toMatchObject({ openPk: openShardOf(owed.taskId), openSk: checkTime(lookAt) });
  });

  test('is listed among the account’s webhooks to deliver if it has a callback URL', async () => {
    const [quiet, owed] = [await inserted(), await inserted({ callbackUrl, webhookStatus: 'pending', webhookFrom: 1 })];
    for (const task of [quiet, owed]) await end(task, transitions.completed, completed);
    expect(await stored(quiet)).not.toHaveProperty('byDeliverySk');
    expect(await stored(owed)).toMatchObject({ byDeliverySk: deliveryOrder(owed.taskId, 'pending') });
  });

  test('is not changed when it is ended again, and its state is returned', async () => {
    const task = await inserted();
    await end(task, transitions.completed, completed);
    const rejection: unknown = await end(task, transitions.failed, failed).catch((error: unknown) => error);
    expect(rejection).toBeInstanceOf(TransactionCanceled);
    const [failure] = (rejection as TransactionCanceled).failures;
    expect(failure?.item).toMatchObject({ status: 'completed', progress: 100 });
    expect(toTask(await stored(task))).toMatchObject({ status: 'completed', progress: 100 });
  });

  test('does not come to exist by ending an unknown task', async () => {
    const task = aTask();
    await expect(end(task, transitions.failed, failed)).rejects.toMatchObject({ failures: [{ item: undefined }] });
    expect(await stored(task)).toEqual({});
  });
});
