/** The list of an account's webhooks on the real table. */
import { beforeEach, expect, test } from 'vitest';
import { attemptsPerSeries } from '../../../shared/contracts/limits.ts';
import type { WebhookStatus } from '../../../shared/contracts/webhook-statuses.ts';
import { taskKey } from '../../../shared/domain/keys.ts';
import { stores } from '../../../shared/domain/stores.ts';
import { type Task, transitions } from '../../../shared/domain/tasks/task.ts';
import { closeTask, insertTask } from '../../../shared/domain/tasks/task-item.ts';
import { listDeliveries } from '../../../shared/domain/webhooks/list-deliveries.ts';
import type { Item, Key } from '../../../shared/platform/dynamo-table.ts';
import { aTask, tableInTests, testIds, testTime } from '../../support/test-table.ts';

let accountId: string;

const host = await tableInTests();
const store = stores(host.table, { now: () => testTime });
beforeEach(() => {
  accountId = testIds.next();
});

const callbackUrl = 'https://shop.example.com/webhooks';
const webhook = { callbackUrl, webhookStatus: 'pending', webhookFrom: 1 } as const;

/** An ended task whose webhook has the given status. */
async function endedTask(status: WebhookStatus, given: Partial<Task> = {}): Promise<Task> {
  const task = aTask({ accountId, ...webhook, ...given });
  await host.table.transact([insertTask(task, testTime)]);
  await host.table.transact([closeTask(task, transitions.completed, { endedAt: testTime }, testTime)]);
  if (status !== 'pending') await store.tasks.settleWebhook(task, status);
  return task;
}

const list = async (query: Partial<Parameters<typeof listDeliveries>[2]> = {}) =>
  listDeliveries(store, accountId, { limit: 20, offset: 0, ...query });
const idsOf = async (query?: Parameters<typeof list>[0]) => (await list(query)).map(({ task }) => task.taskId);

const attempt = async (taskId: string, number: number, statusCode: number) => {
  await store.deliveries.claim(taskId, number, { worker: 'worker', now: testTime });
  const result = { delivered: false, statusCode, error: `status ${statusCode}`, durationMs: 5 };
  await store.deliveries.record(taskId, number, result);
};

test('the list of webhooks has all failed ones before the others, newest first in both parts, and its pages keep this order', async () => {
  const statuses = ['delivered', 'failed', 'pending', 'failed', 'delivered', 'pending', 'failed'] as const;
  const made: { id: string; status: WebhookStatus }[] = [];
  for (const status of statuses) made.unshift({ id: (await endedTask(status)).taskId, status });
  const failed = made.filter(({ status }) => status === 'failed');
  const expected = [...failed, ...made.filter(({ status }) => status !== 'failed')].map(({ id }) => id);
  expect(await idsOf()).toEqual(expected);
  for (const offset of [0, 1, 2, 3, 4, 5, 6, 7]) {
    expect(await idsOf({ limit: 2, offset })).toEqual(expected.slice(offset, offset + 2));
  }
  expect(await idsOf({ status: 'failed' })).toEqual(failed.map(({ id }) => id));
  expect(await idsOf({ status: 'failed', limit: 1, offset: 1 })).toEqual([failed[1]?.id]);
});

test('a failed webhook is listed among the others again as soon as it is sent again', async () => {
  const task = await endedTask('failed');
  const newer = await endedTask('delivered');
  expect(await idsOf()).toEqual([task.taskId, newer.taskId]);
  await store.tasks.reopenWebhook(task.taskId, 4, testTime);
  expect(await idsOf({ status: 'failed' })).toEqual([]);
  expect(await idsOf()).toEqual([newer.taskId, task.taskId]);
  await store.tasks.settleWebhook({ ...task, webhookFrom: 4 }, 'delivered');
  expect(await idsOf()).toEqual([newer.taskId, task.taskId]);
});

test('the list of webhooks omits open tasks, tasks without a webhook and tasks of other accounts', async () => {
  await host.table.transact([insertTask(aTask({ accountId, ...webhook }), testTime)]);
  const plain = aTask({ accountId });
  await host.table.transact([insertTask(plain, testTime)]);
  await host.table.transact([closeTask(plain, transitions.failed, { endedAt: testTime }, testTime)]);
  await endedTask('failed', { accountId: testIds.next() });
  expect(await list()).toEqual([]);
});

test('a webhook that is sent again keeps its earlier attempts in the list, as long as the list has room for them', async () => {
  const task = await endedTask('failed');
  const numbers = async () => (await list())[0]?.attempts.map((one) => one.attempt);
  for (const number of [1, 2, 3]) await attempt(task.taskId, number, 500);
  expect(await numbers()).toEqual([1, 2, 3]);
  for (const first of [4, 7, 10]) {
    await store.tasks.reopenWebhook(task.taskId, first, testTime);
    expect((await numbers())?.slice(0, 3)).toEqual([1, 2, 3]);
    await attempt(task.taskId, first, 503);
  }
  expect(await numbers()).toEqual([1, 2, 3, 4, 7, 10]);
  await store.tasks.reopenWebhook(task.taskId, 13, testTime);
  expect(await numbers()).toEqual([4, 7, 10]);
});

test('the list of webhooks omits one whose status has changed since the index was read', async () => {
  const task = await endedTask('delivered');
  const lagging = { ...store, table: { ...host.table, list: async () => [taskKey(task.taskId)] } };
  const query = { limit: 20, offset: 0 };
  expect(await listDeliveries(lagging, accountId, { ...query, status: 'failed' })).toEqual([]);
  expect(await listDeliveries(lagging, accountId, query)).toHaveLength(1);
});

test('the list of webhooks omits one whose task is not found', async () => {
  const { taskId } = await endedTask('delivered');
  const keys = [taskKey(testIds.next()), taskKey(taskId)];
  const lagging = { ...store, table: { ...host.table, list: async () => keys } };
  const listed = await listDeliveries(lagging, accountId, { limit: 20, offset: 0 });
  expect(listed.map(({ task }) => task.taskId)).toEqual([taskId]);
});

test('webhook delivery attempts are listed in order, in whatever order the table returns them', async () => {
  const { taskId } = await endedTask('failed');
  for (const number of [1, 2, 3]) await attempt(taskId, number, 500);
  const orders = [(rows: Item[]) => rows, (rows: Item[]) => rows.toReversed()].map((ordered) => ({
    ...host.table,
    getMany: async (keys: readonly Key[]) => ordered(await host.table.getMany(keys)),
  }));
  for (const table of orders) {
    const [listed] = await listDeliveries({ ...store, table }, accountId, { limit: 20, offset: 0 });
    expect(listed?.attempts.map((one) => one.attempt)).toEqual([1, 2, 3]);
  }
});

test('the list of webhooks has the attempts of every task on a page that needs several table requests', async () => {
  const count = Math.floor(100 / attemptsPerSeries) + 1;
  const tasks = await Promise.all(Array.from({ length: count }, () => endedTask('failed')));
  await Promise.all(
    tasks.flatMap(({ taskId }) =>
      Array.from({ length: attemptsPerSeries }, (_, position) => attempt(taskId, position + 1, 500)),
    ),
  );
  const listed = await list({ limit: count });
  expect(listed.map(({ attempts }) => attempts.map((one) => one.attempt))).toEqual(tasks.map(() => [1, 2, 3]));
});
