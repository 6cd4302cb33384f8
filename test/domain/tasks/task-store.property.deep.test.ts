/**
 * The conditional writes that change stored tasks, compared with a model of one task, and the queries that find tasks.
 */
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { taskStatuses } from '../../../shared/contracts/task-statuses.ts';
import { allOpenShards, checkTime, deliveryOrder, openShardOf } from '../../../shared/domain/index-keys.ts';
import { jobKey, taskKey } from '../../../shared/domain/keys.ts';
import { isTerminal, type Task, transitions } from '../../../shared/domain/tasks/task.ts';
import { closeTask, insertTask, toTask } from '../../../shared/domain/tasks/task-item.ts';
import { taskStore } from '../../../shared/domain/tasks/task-store.ts';
import { deliveryStore } from '../../../shared/domain/webhooks/delivery-store.ts';
import type { Table } from '../../../shared/platform/dynamo-table.ts';
import { aTask, tableInTests, testIds, testTable, testTime } from '../../support/test-table.ts';

const host = await tableInTests();
const store = taskStore(host.table);

const webhook = {
  callbackUrl: 'https://example.com/hook',
  webhookStatus: 'pending',
  webhookFrom: 1,
} as const satisfies Partial<Task>;

const create = async (given: Partial<Task>, nextCheckAt = testTime): Promise<Task> => {
  const task = aTask(given);
  await host.table.transact([insertTask(task, nextCheckAt)]);
  return task;
};

/** The expected state of a task, and the time of its next check, which always exists. */
interface Expected {
  readonly task: Task;
  readonly checkAt?: number | undefined;
}

/** A transition: its write to the table, and its effect on the task. */
interface Move {
  readonly name: string;
  readonly make: (task: Task) => Promise<void>;
  readonly expected: (before: Expected) => Expected;
}

const time = fc.nat({ max: 9 }).map((minutes) => testTime + minutes * 60_000);
const lastTime = testTime + 9 * 60_000;

const advance = fc.record({ to: fc.constantFrom('submitted', 'processing'), at: time, checkAt: time }).map(
  ({ to, at, checkAt }): Move => ({
    name: `advance to ${to}`,
    make: (task) => store.advance(task, transitions[to], { at, nextCheckAt: checkAt }),
    expected(before) {
      const { task } = before;
      if (!transitions[to].from.some((status) => status === task.status)) return before;
      return { task: { ...task, status: to, startedAt: task.startedAt ?? at, [`${to}At`]: at }, checkAt };
    },
  }),
);

const raise = fc.record({ progress: fc.nat({ max: 99 }), at: time }).map(
  ({ progress, at }): Move => ({
    name: `raise to ${progress}`,
    make: ({ taskId }) => store.raiseProgress(taskId, progress, at),
    expected: ({ task, checkAt }) => ({
      task: { ...task, ...(!isTerminal(task) && progress > task.progress && { progress, progressAt: at }) },
      checkAt,
    }),
  }),
);

const checkAgain = fc.record({ seen: fc.constantFrom(...taskStatuses), at: time }).map(
  ({ seen, at }): Move => ({
    name: `check the ${seen} one again`,
    make: (task) => store.checkAgainAt({ ...task, status: seen }, at),
    expected: ({ task, checkAt }) => ({
      task,
      checkAt: checkAt !== undefined && task.status === seen ? at : checkAt,
    }),
  }),
);

const end = fc.record({ to: fc.constantFrom('completed', 'failed'), checkAt: time }).map(
  ({ to, checkAt }): Move => ({
    name: `end as ${to}`,
    async make(task) {
      const closing = closeTask(task, transitions[to], { endedAt: testTime }, checkAt);
      await host.table.transact([closing]).catch(() => undefined);
    },
    expected(before) {
      const { task } = before;
      if (isTerminal(task)) return before;
      const ended = { ...task, status: to, endedAt: testTime, ...(to === 'completed' && { progress: 100 }) };
      return { task: ended, checkAt: task.callbackUrl ? checkAt : undefined };
    },
  }),
);

const settle = fc.record({ status: fc.constantFrom('delivered', 'failed'), from: fc.constantFrom(1, 4, 7) }).map(
  ({ status, from }): Move => ({
    name: `settle the series from ${from} as ${status}`,
    make: (task) => store.settleWebhook({ ...task, webhookFrom: from }, status),
    expected: (before) =>
      before.task.webhookFrom === from ? { task: { ...before.task, webhookStatus: status } } : before,
  }),
);

const reopen = fc.record({ attempt: fc.constantFrom(4, 7), at: time }).map(
  ({ attempt, at }): Move => ({
    name: `reopen with attempt ${attempt}`,
    make: async (task) => void (await store.reopenWebhook(task.taskId, attempt, at)),
    expected(before) {
      const { webhookFrom } = before.task;
      if (webhookFrom === undefined || webhookFrom >= attempt) return before;
      return { task: { ...before.task, webhookStatus: 'pending', webhookFrom: attempt }, checkAt: at };
    },
  }),
);

const moves = (...possible: fc.Arbitrary<Move>[]) => fc.array(fc.oneof(...possible), { maxLength: 6 });

/** Possible changes of a task: webhooks are settled and reopened only after the task's end. */
const history = fc
  .tuple(moves(advance, raise, checkAgain, end), end, moves(settle, reopen, checkAgain, advance, raise, end))
  .map(([open, closing, ended]) => [...open, closing, ...ended]);

async function expectStored({ task, checkAt }: Expected, after: string): Promise<void> {
  const item = (await host.table.get(taskKey(task.taskId))) ?? {};
  expect(toTask(item), after).toStrictEqual(task);
  const check = { openPk: openShardOf(task.taskId), openSk: checkTime(checkAt ?? 0) };
  expect({ openPk: item.openPk, openSk: item.openSk }, after).toEqual(checkAt === undefined ? {} : check);
  const isListed = isTerminal(task) && task.callbackUrl !== undefined;
  const order = deliveryOrder(task.taskId, task.webhookStatus ?? '');
  expect(item.byDeliverySk, after).toBe(isListed ? order : undefined);
}

async function expectFound({ task, checkAt }: Expected): Promise<void> {
  expect(await store.find(task.taskId)).toStrictEqual(task);
  expect((await store.dueBy(checkAt ?? lastTime)).includes(task.taskId)).toBe(checkAt !== undefined);
  if (checkAt !== undefined) expect(await store.dueBy(checkAt - 1)).not.toContain(task.taskId);
}

describe('a stored task', () => {
  test('matches a model after status changes in any order: no change goes back, and none reopens an ended task', async () => {
    await fc.assert(
      fc.asyncProperty(fc.boolean(), history, async (hasWebhook, given) => {
        const task = await create(hasWebhook ? webhook : {});
        let expected: Expected = { task, checkAt: testTime };
        for (const move of given) {
          await move.make(task);
          expected = move.expected(expected);
          await expectStored(expected, move.name);
        }
        await expectFound(expected);
      }),
      { numRuns: 30 },
    );
  });

  test.each(['delivered', 'failed'] as const)(
    'marks its webhook as %s only for the current delivery series',
    async (status) => {
      const task = await create({ ...webhook, status: 'completed', webhookFrom: 4 });
      await store.settleWebhook({ ...task, webhookFrom: 1 }, status);
      expect(await store.find(task.taskId)).toMatchObject({ webhookStatus: 'pending' });
      await store.settleWebhook(task, status);
      expect(await store.find(task.taskId)).toMatchObject({ webhookStatus: status });
    },
  );

  test('is not created by an update', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(advance, raise, checkAgain, settle, reopen), async (move) => {
        const task = aTask(webhook);
        await move.make(task);
        expect(await store.find(task.taskId), move.name).toBeUndefined();
      }),
      { numRuns: 20 },
    );
  });

  test('throws on a status change when the table does not respond', async () => {
    const failure = new Error('no response');
    const cut = taskStore({ ...host.table, update: () => Promise.reject(failure) });
    await expect(cut.raiseProgress(testIds.next(), 5, testTime)).rejects.toBe(failure);
  });

  test('is read with only its own deliveries, in order and with a consistent read, and only if it exists', async () => {
    const task = await create(webhook);
    const deliveries = deliveryStore(host.table);
    for (const attempt of [2, 10, 1]) await deliveries.claim(task.taskId, attempt, { worker: 'a', now: testTime });
    await host.table.put({ Item: { ...jobKey(task.taskId, 'make'), token: 'a token' } });
    const reads: unknown[] = [];
    const walk: Table['walk'] = (query) => {
      reads.push(query.ConsistentRead);
      return host.table.walk(query);
    };
    const found = await taskStore({ ...host.table, walk }).findWithDeliveries(task.taskId);
    expect(reads).toEqual([true]);
    expect(found?.task).toStrictEqual(task);
    expect(found?.attempts.map(({ attempt }) => attempt)).toEqual([1, 2, 10]);
    const missing = testIds.next();
    await deliveries.claim(missing, 1, { worker: 'a', now: testTime });
    expect(await store.findWithDeliveries(missing)).toBeUndefined();
  });
});

test('more tasks than one request can read are each found once, and missing ones are left out', async () => {
  const created = Array.from({ length: 230 }, () => aTask());
  await Promise.all(created.map((task) => host.table.transact([insertTask(task, testTime)])));
  const ids = created.map(({ taskId }) => taskId);
  const found = await store.findMany([...ids, testIds.next(), ...ids.slice(0, 50)]);
  expect(found.map(({ taskId }) => taskId).toSorted()).toEqual(ids.toSorted());
  expect(found.find(({ taskId }) => taskId === ids[0])).toStrictEqual(created[0]);
});

test('every list of an account’s tasks is read newest first, starting after any task', async () => {
  const { accountId } = aTask();
  const given = fc.record({ taskType: fc.constantFrom('voice', 'image'), clientReference: fc.constantFrom('a', 'b') });
  const tasks = await Promise.all(fc.sample(given, 16).map((one) => create({ accountId, ...one })));
  const newest = tasks.toSorted((one, other) => (one.taskId < other.taskId ? 1 : -1));
  const range = { limit: 100, offset: 0 };
  for (const list of [{}, { taskType: 'voice' }, { clientReference: 'a' }, { state: 'open' }] as const) {
    const { state: _open, ...narrowed } = { state: undefined, ...list };
    const expected = newest.filter((task) => isDeepStrictEqual({ ...task, ...narrowed }, task));
    const ids = expected.map(({ taskId }) => taskId);
    expect(await store.ids(accountId, list, range)).toEqual(ids);
    expect(await store.ids(accountId, list, { limit: 2, offset: 1 })).toEqual(ids.slice(1, 3));
    for (const [index, after] of ids.entries()) {
      expect(await store.ids(accountId, list, { ...range, after })).toEqual(ids.slice(index + 1));
    }
  }
});

test('the tasks to check next are the earliest ten of each index shard', async () => {
  const fresh = await testTable();
  const created = Array.from({ length: 200 }, (_, minute) => ({ task: aTask(), at: testTime + minute * 60_000 }));
  await Promise.all(created.map(({ task, at }) => fresh.table.transact([insertTask(task, at)])));
  const expected = allOpenShards.flatMap((shard) =>
    created
      .map(({ task: { taskId } }) => taskId)
      .filter((taskId) => openShardOf(taskId) === shard)
      .slice(0, 10),
  );
  expect((await taskStore(fresh.table).nextDue()).toSorted()).toEqual(expected.toSorted());
  await fresh.close();
});
