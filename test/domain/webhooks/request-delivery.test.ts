import { expect, test } from 'vitest';
import type { Task } from '../../../shared/domain/tasks/task.ts';
import { requestDelivery } from '../../../shared/domain/webhooks/request-delivery.ts';
import { aTask } from '../../support/test-table.ts';

const webhook = { callbackUrl: 'https://example.com/hook', webhookStatus: 'pending', webhookFrom: 1 } as const;

async function requested(task: Task, attempt?: number): Promise<unknown[]> {
  const sent: unknown[] = [];
  await requestDelivery({ send: async (...message) => void sent.push(message) }, task, attempt);
  return sent;
}

test('a webhook delivery is enqueued at once, in the message group of its account, with the first attempt of its series', async () => {
  const task = aTask({ ...webhook, webhookFrom: 4 });
  const { taskId, accountId: group } = task;
  expect(await requested(task)).toEqual([
    [
      { taskId, attempt: 4 },
      { delaySeconds: 0, group },
    ],
  ]);
  expect(await requested(task, 6)).toEqual([
    [
      { taskId, attempt: 6 },
      { delaySeconds: 0, group },
    ],
  ]);
});

test('no webhook delivery is requested for a task without a callback URL', async () => {
  expect(await requested(aTask())).toEqual([]);
});
