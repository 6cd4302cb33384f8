/** Tasks whose webhooks failed, on a table of tests. */
import { stores } from '../../../shared/domain/stores.ts';
import { transitions } from '../../../shared/domain/tasks/task.ts';
import { closeTask, insertTask } from '../../../shared/domain/tasks/task-item.ts';
import { dayMs } from '../../../shared/platform/clock.ts';
import type { Table } from '../../../shared/platform/dynamo-table.ts';
import { aTask, testTime } from '../../support/test-table.ts';

const webhook = { callbackUrl: 'https://shop.example.com/webhooks', webhookStatus: 'pending', webhookFrom: 1 } as const;

export function failedTasks(table: Table) {
  const now = Math.floor(testTime / dayMs) * dayMs + dayMs / 2;
  const store = stores(table, { now: () => now });
  return {
    now,
    store,
    /** A task whose last attempts of each series failed at these times. */
    add: async (...times: readonly number[]): Promise<string> => {
      const task = aTask(webhook);
      const { taskId } = task;
      await table.transact([insertTask(task, testTime)]);
      await table.transact([closeTask(task, transitions.completed, { endedAt: testTime }, testTime)]);
      for (const [series, at] of times.entries()) {
        const attempt = 3 * (series + 1);
        await store.deliveries.claim(taskId, attempt, { worker: 'worker', now: at });
        const failure = { delivered: false, statusCode: 500, error: 'status 500', durationMs: 0 };
        await store.deliveries.record(taskId, attempt, failure, at);
      }
      await store.tasks.settleWebhook(task, 'failed');
      return taskId;
    },
  };
}
