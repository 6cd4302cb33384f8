/** Task lists compared with an oracle over all tasks, on the real table, while tasks are created and end. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TaskStatus } from '../../../shared/contracts/task-statuses.ts';
import { stores } from '../../../shared/domain/stores.ts';
import { findTasks, type TaskQuery } from '../../../shared/domain/tasks/find-tasks.ts';
import { type Task, transitions } from '../../../shared/domain/tasks/task.ts';
import { closeTask, insertTask } from '../../../shared/domain/tasks/task-item.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { anAccount, aTask, tableInTests, testTime } from '../../support/test-table.ts';

const taskCount = 600;
const slots = 20;
const taskTypes = ['voice', 'image', 'image-upscale'] as const;
const references = ['order-42', 'order 42', undefined] as const;
const statuses = ['pending', 'submitted', 'processing', 'completed', 'failed'] as const;

const account = anAccount();
/** The current state of every task, oldest first. */
const tasks: Task[] = [];
/** Tasks of another account, which must not be listed. */
const foreign = Array.from({ length: 30 }, () => aTask({ clientReference: 'order-42' }));

const open = () => tasks.filter(({ status }) => !['completed', 'failed'].includes(status));

const setSlots = (ids: readonly string[]) =>
  host.table.update({
    Key: { pk: `ACCOUNT#${account.accountId}`, sk: 'ACCOUNT' },
    UpdateExpression: ids.length > 0 ? 'SET openTasks = :ids' : 'REMOVE openTasks',
    ...(ids.length > 0 && { ExpressionAttributeValues: { ':ids': new Set(ids) } }),
  });

/** Ends a task and frees its slot in the same transaction, like the service. */
async function end(task: Task, to: 'completed' | 'failed'): Promise<void> {
  const slot = {
    Update: {
      Key: { pk: `ACCOUNT#${account.accountId}`, sk: 'ACCOUNT' },
      UpdateExpression: 'DELETE openTasks :task',
      ExpressionAttributeValues: { ':task': new Set([task.taskId]) },
    },
  };
  await host.table.transact([closeTask(task, transitions[to], { endedAt: testTime }, testTime), slot]);
}

const host = await tableInTests();
const store = stores(host.table, systemClock);
await store.accounts.insert(account, undefined);
for (let index = 0; index < taskCount; index += 1) {
  const isOpen = index >= taskCount - slots || index < slots / 4;
  const clientReference = references[index % 7 === 0 ? 0 : index % 11 === 0 ? 1 : 2];
  tasks.push(
    aTask({
      accountId: account.accountId,
      taskType: taskTypes[index % taskTypes.length] ?? 'voice',
      status: isOpen ? (statuses[index % 3] ?? 'pending') : (statuses[3 + (index % 2)] ?? 'failed'),
      ...(clientReference && { clientReference }),
    }),
  );
}
for (const task of [...tasks, ...foreign]) {
  await host.table.transact([insertTask(task, testTime)]);
  const { status } = task;
  if (status === 'completed' || status === 'failed')
    await host.table.transact([
      closeTask({ ...task, status: 'pending' }, { ...transitions[status], from: [status] }, { endedAt: testTime }, 0),
    ]);
}
await setSlots(open().map(({ taskId }) => taskId));

const query = fc.record(
  {
    status: fc.constantFrom(...statuses),
    taskType: fc.constantFrom(...taskTypes),
    clientReference: fc.constantFrom('order-42', 'order 42', 'order-43'),
    after: fc.nat({ max: taskCount - 1 }).map((index) => tasks[index]?.taskId ?? ''),
    limit: fc.integer({ min: 1, max: 100 }),
    offset: fc.oneof(fc.nat({ max: 30 }), fc.nat({ max: taskCount + 50 })),
  },
  { requiredKeys: ['limit', 'offset'] },
);

const isWanted = (task: Task, { status, taskType, clientReference, after }: TaskQuery, now: TaskStatus): boolean =>
  (status === undefined || now === status) &&
  (taskType === undefined || task.taskType === taskType) &&
  (clientReference === undefined || task.clientReference === clientReference) &&
  (after === undefined || task.taskId < after);

const expected = (given: TaskQuery) =>
  tasks
    .filter((task) => isWanted(task, given, task.status))
    .map(({ taskId }) => taskId)
    .toReversed()
    .slice(given.offset, given.offset + given.limit);

const found = async (given: TaskQuery): Promise<string[]> =>
  (await findTasks(store, account.accountId, given)).map(({ taskId }) => taskId);

test('any combination of filters finds exactly the tasks that match, at any depth', async () => {
  await fc.assert(
    fc.asyncProperty(query, async (given) => {
      expect(await found(given)).toEqual(expected(given));
    }),
    { numRuns: 300 },
  );
});

test.each([
  { filter: {} },
  { filter: { clientReference: 'order-42' } },
  { filter: { taskType: 'voice' } },
  { filter: { taskType: 'image', clientReference: 'order 42', status: 'failed' } },
] as const)('paging by the last id returns every task that matches $filter once, newest first', async ({ filter }) => {
  const all: string[] = [];
  for (let after: string | undefined; ; after = all.at(-1)) {
    const page = await found({ ...filter, limit: 37, offset: 0, after });
    if (page.length === 0) break;
    all.push(...page);
  }
  expect(all).toEqual(expected({ ...filter, limit: taskCount, offset: 0 }));
});

test('a task that is not in any index yet is listed if its account holds a slot for it', async () => {
  const {
    byOwnerPk: _owner,
    byTypePk: _type,
    byReferencePk: _reference,
    ...item
  } = {
    ...insertTask(aTask({ accountId: account.accountId, clientReference: 'fresh' }), testTime).Put?.Item,
  } as Record<string, unknown>;
  const taskId = String(item.pk).slice('TASK#'.length);
  await host.table.put({ Item: item });
  const slotsBefore = open().map((task) => task.taskId);
  await setSlots([...slotsBefore, taskId]);
  expect((await found({ limit: 100, offset: 0 })).slice(0, 2)).toEqual([taskId, tasks.at(-1)?.taskId]);
  expect((await found({ limit: 100, offset: 1 }))[0]).toBe(tasks.at(-1)?.taskId);
  expect(await found({ clientReference: 'fresh', limit: 100, offset: 0 })).toEqual([taskId]);
  expect(await found({ clientReference: 'fresh', limit: 100, offset: 1 })).toEqual([]);
  expect(await found({ taskType: 'image', limit: 100, offset: 0 })).not.toContain(taskId);
  await setSlots(slotsBefore);
});

test('tasks of other accounts are never listed, not even with the same reference or by their ids', async () => {
  const ids = foreign.slice(0, 20).map(({ taskId }) => taskId);
  expect(await found({ ids, limit: 100, offset: 0 })).toEqual([]);
  const [one] = foreign;
  expect(await findTasks(store, one?.accountId ?? '', { clientReference: 'order-42', limit: 100, offset: 0 })).toEqual([
    one,
  ]);
  const byReference = await found({ clientReference: 'order-42', limit: 100, offset: 0 });
  expect(byReference.some((taskId) => foreign.some((task) => task.taskId === taskId))).toBe(false);
});

test('no task is missing from lists filtered by type and reference while tasks are ending', async () => {
  const moving = open();
  const wanted = { clientReference: 'order-42', limit: 100, offset: 0 } as const;
  const all = expected({ ...wanted, limit: taskCount });
  const progress = { isOver: false };
  const ending = (async () => {
    for (const [index, task] of moving.entries()) {
      const status = index % 2 === 0 ? 'completed' : 'failed';
      await end(task, status);
      tasks.splice(tasks.indexOf(task), 1, { ...task, status });
    }
    progress.isOver = true;
  })();
  let looks = 0;
  while (!progress.isOver || looks === 0) {
    looks += 1;
    expect(await found(wanted)).toEqual(all.slice(0, 100));
    const [newest] = all;
    const byStatus: string[] = [];
    // The lists by state are read in the order of a task's states, so that a task that changes its state after one list
    // was read is found in a later one.
    for (const status of statuses) byStatus.push(...(await found({ ...wanted, status })));
    expect(byStatus).toContain(newest);
  }
  await ending;
  expect(await found({ status: 'processing', limit: 100, offset: 0 })).toEqual([]);
  expect(await found({ ...wanted, status: 'completed' })).toEqual(expected({ ...wanted, status: 'completed' }));
});
