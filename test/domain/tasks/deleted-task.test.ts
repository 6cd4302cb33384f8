/** What remains of a deleted task for its webhook and for operators. */
import { expect, test } from 'vitest';
import { remainsOf } from '../../../shared/domain/tasks/deleted-task.ts';
import { deletedTaskStore } from '../../../shared/domain/tasks/deleted-task-store.ts';
import { insertTask } from '../../../shared/domain/tasks/task-item.ts';
import { testAccountOf } from '../../../shared/domain/test-account.ts';
import { aTask, tableInTests, testIds, testTime } from '../../support/test-table.ts';

const host = await tableInTests();

const ended = (accountId: string) =>
  aTask({
    accountId,
    status: 'completed',
    input: { text: '[test:webhook_refused]', voice: 'sarah' },
    callbackUrl: 'https://example.com/hook',
    webhookStatus: 'pending',
    webhookFrom: 1,
  });

test('a deleted task keeps the URL of a webhook that is still owed, unless a test case refuses that webhook', () => {
  const accountId = testIds.next();
  expect(remainsOf(ended(accountId), testTime)).toMatchObject({
    callbackUrl: 'https://example.com/hook',
    webhookStatus: 'pending',
    input: {},
  });
  const refused = remainsOf(ended(testAccountOf(accountId)), testTime);
  expect(refused).toMatchObject({ webhookStatus: 'failed', input: {} });
  expect(refused).not.toHaveProperty('callbackUrl');
});

test('a deletion does not overwrite an engine cost that was raised after the task was read', async () => {
  const deletedTasks = deletedTaskStore(host.table);
  for (const engineCost of [undefined, 7]) {
    const stored = aTask({ status: 'failed', ...(engineCost !== undefined && { engineCost }) });
    await host.table.transact([insertTask({ ...stored, engineCost: 10 }, testTime)]);
    expect(await deletedTasks.replace(stored, remainsOf(stored, testTime))).toBe(false);
    const read = { ...stored, engineCost: 10 };
    expect(await deletedTasks.replace(read, remainsOf(read, testTime))).toBe(true);
  }
});
