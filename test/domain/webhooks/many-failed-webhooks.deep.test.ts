/** Failed webhooks among very many newer ones, on the real table. */
import { expect, test } from 'vitest';
import { failedWebhooks } from '../../../shared/domain/webhooks/failed-webhooks.ts';
import { tableInTests } from '../../support/test-table.ts';
import { failedTasks } from './failed-tasks.ts';

const host = await tableInTests();
const { add, now, store } = failedTasks(host.table);

test('failed webhooks are not hidden by those of many newer tasks that were sent again', async () => {
  const hidden = await add(now);
  for (let newer = 0; newer < 150; newer += 1) {
    const taskId = await add(now);
    await store.tasks.reopenWebhook(taskId, 4, now);
  }
  expect((await failedWebhooks(store, now)).map(({ taskId }) => taskId)).toContain(hidden);
});
