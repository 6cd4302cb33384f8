/** The webhooks of all accounts that failed lately, on the real table. */
import { expect, test } from 'vitest';
import { stores } from '../../../shared/domain/stores.ts';
import { transitions } from '../../../shared/domain/tasks/task.ts';
import { closeTask, insertTask } from '../../../shared/domain/tasks/task-item.ts';
import { failedWebhooks } from '../../../shared/domain/webhooks/failed-webhooks.ts';
import { dayMs } from '../../../shared/platform/clock.ts';
import { aTask, tableInTests, testTime } from '../../support/test-table.ts';

const host = await tableInTests();
const now = Math.floor(testTime / dayMs) * dayMs + dayMs / 2;
const store = stores(host.table, { now: () => now });
const webhook = { callbackUrl: 'https://shop.example.com/webhooks', webhookStatus: 'pending', webhookFrom: 1 } as const;

/** A task whose last attempts of each series failed at these times. */
async function failedTask(...times: readonly number[]): Promise<string> {
  const task = aTask(webhook);
  const { taskId } = task;
  await host.table.transact([insertTask(task, testTime)]);
  await host.table.transact([closeTask(task, transitions.completed, { endedAt: testTime }, testTime)]);
  for (const [series, at] of times.entries()) {
    const attempt = 3 * (series + 1);
    await store.deliveries.claim(taskId, attempt, { worker: 'worker', now: at });
    const failure = { delivered: false, statusCode: 500, error: 'status 500', durationMs: 0 };
    await store.deliveries.record(taskId, attempt, failure, at);
  }
  await store.tasks.settleWebhook(task, 'failed');
  return taskId;
}

test('failed webhooks of today and yesterday are found once each, newest first, until they are sent again', async () => {
  const found = async () => (await failedWebhooks(store, now)).map(({ taskId }) => taskId);
  await failedTask(now - 2 * dayMs);
  const [old, twice, newest] = [
    await failedTask(now - dayMs),
    await failedTask(now - dayMs, now - 5, now - 1),
    await failedTask(now),
  ];
  expect(await found()).toEqual([newest, twice, old]);
  await store.tasks.reopenWebhook(newest, 4, now);
  expect(await found()).toEqual([twice, old]);
});

test('failed webhooks are not hidden by those of many newer tasks that were sent again', async () => {
  const hidden = await failedTask(now);
  for (let newer = 0; newer < 150; newer += 1) {
    const taskId = await failedTask(now);
    await store.tasks.reopenWebhook(taskId, 4, now);
  }
  expect((await failedWebhooks(store, now)).map(({ taskId }) => taskId)).toContain(hidden);
});
