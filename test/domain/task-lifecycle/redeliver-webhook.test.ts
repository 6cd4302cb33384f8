/** Redelivering a task's webhook: which series of attempts follows, and where it ends. */
import { expect, test } from 'vitest';
import { attemptsPerSeries, deliverySeriesLimit } from '../../../shared/contracts/limits.ts';
import { Rejection } from '../../../shared/domain/rejection.ts';
import { stores } from '../../../shared/domain/stores.ts';
import { redeliverWebhook } from '../../../shared/domain/task-lifecycle/redeliver-webhook.ts';
import type { DeliveryAttempt } from '../../../shared/domain/tasks/delivery-attempt.ts';
import type { Task } from '../../../shared/domain/tasks/task.ts';
import { aTask, testTable, testTime } from '../../support/test-table.ts';

const clock = { now: () => testTime };

/** Redelivers a failed webhook, of which by default no attempt is stored any more. */
async function redeliver(given: Partial<Task>, attempts: readonly DeliveryAttempt[] = []) {
  const host = await testTable();
  const store = stores(host.table, clock);
  const task = aTask({ status: 'failed', callbackUrl: 'https://shop.example', webhookStatus: 'failed', ...given });
  const reopened: number[] = [];
  const tasks = { ...store.tasks, reopenWebhook: async (_: unknown, attempt: number) => void reopened.push(attempt) };
  const queue = { send: async () => undefined };
  try {
    const attempt = await redeliverWebhook({ clock, queue, tasks }, { task, attempts });
    return { attempt, reopened };
  } catch (error) {
    return { error, reopened };
  } finally {
    await host.close();
  }
}

const firstOfLast = (deliverySeriesLimit - 1) * attemptsPerSeries + 1;

test('redelivery of a webhook can begin the last delivery series that a task may have', async () => {
  expect(await redeliver({ webhookFrom: firstOfLast - attemptsPerSeries })).toEqual({
    attempt: firstOfLast,
    reopened: [firstOfLast],
  });
});

test('redelivery of a webhook begins the series after the last stored attempt, even if the task was read before that series', async () => {
  const attempts = [1, 2, 3, 4].map((attempt) => ({ attempt, at: testTime, leaseUntil: testTime }));
  expect(await redeliver({ webhookFrom: 1 }, attempts)).toEqual({ attempt: 7, reopened: [7] });
});

test('redelivery of a webhook beyond the last series is rejected with a reason and starts no delivery', async () => {
  const { error, reopened } = await redeliver({ webhookFrom: firstOfLast });
  expect(error).toBeInstanceOf(Rejection);
  expect(error).toMatchObject({
    kind: 'not-redeliverable',
    message: expect.stringContaining('100 series of attempts'),
  });
  expect(reopened).toEqual([]);
});

const unfinished: readonly { of: string; given: Partial<Task>; message: string }[] = [
  { of: 'an open task', given: { status: 'pending' }, message: 'is sent when it ends' },
  { of: 'a task in delivery', given: { webhookStatus: 'pending' }, message: 'attempts are in progress' },
];

test.each(unfinished)(
  'redelivering the webhook of $of is rejected with a reason and starts no delivery',
  async ({ given, message }) => {
    const { error, reopened } = await redeliver({ webhookFrom: 1, ...given });
    expect(error).toBeInstanceOf(Rejection);
    expect(error).toMatchObject({ kind: 'not-redeliverable', message: expect.stringContaining(message) });
    expect(reopened).toEqual([]);
  },
);
