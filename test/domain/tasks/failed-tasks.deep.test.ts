/** What it costs to list the failed tasks of all accounts when there are many, and that none is left out. */
import { afterAll, expect, test } from 'vitest';
import { failureShardOf } from '../../../shared/domain/index-keys.ts';
import { findOperatedTasks } from '../../../shared/domain/operator-reads/find-operated-tasks.ts';
import { insertTask } from '../../../shared/domain/tasks/task-item.ts';
import { taskStore } from '../../../shared/domain/tasks/task-store.ts';
import { dynamoTable, type Item } from '../../../shared/platform/dynamo-table.ts';
import { batchWrite } from '../../support/batch-write.ts';
import { aTask, testTime } from '../../support/test-table.ts';
import { countedService } from '../../support/trips.ts';

const host = await countedService(0);
afterAll(() => host.close());
const { context, environment } = host.service;
const { tableName } = context.settings;
const table = dynamoTable(tableName, host.counted);
const needs = { accounts: context.accounts, table, tasks: taskStore(table) };

const [day, otherDay] = ['2030-01-01', '2030-01-02'];

const failed = (on: string): Item => {
  const task = aTask({ status: 'failed', errorCode: 'PROVIDER_ERROR', endedAt: testTime });
  const { openPk: _pk, openSk: _sk, ...item } = insertTask(task, testTime).Put?.Item ?? {};
  return { ...item, byFailurePk: failureShardOf(task.taskId, on) };
};
const rows = Array.from({ length: 1200 }, () => failed(day));
await batchWrite(environment.AWS_ENDPOINT_URL_DYNAMODB ?? '', tableName, [...rows, failed(otherDay)]);

test('every page of a day reads one page of each partition, and together the pages have every failed task once, newest first', async () => {
  const expected = rows
    .map(({ pk }) => String(pk).slice('TASK#'.length))
    .toSorted()
    .toReversed();
  const seen: string[] = [];
  let before: string | undefined;
  do {
    const query = { status: 'failed', day, before, limit: 100, offset: 0 } as const;
    let page: Awaited<ReturnType<typeof findOperatedTasks>> = { tasks: [] };
    const trips = await host.trips(async () => {
      page = await findOperatedTasks(needs, query, testTime);
    });
    const count = (operation: string) => trips.filter((trip) => trip.operation === operation).length;
    expect(count('Query')).toBe(8);
    expect(count('BatchGetItem')).toBeLessThanOrEqual(2);
    expect(count('Query') + count('BatchGetItem')).toBe(trips.length);
    seen.push(...page.tasks.map(({ taskId }) => taskId));
    before = page.next;
  } while (before !== undefined);
  expect(seen).toEqual(expected);
});

test('a page says where the next begins even if a filter left all its tasks out', async () => {
  const query = { error: 'CANCELED', day, limit: 100, offset: 0 } as const;
  const { next, tasks } = await findOperatedTasks(needs, query, testTime);
  expect([tasks, typeof next]).toEqual([[], 'string']);
});
