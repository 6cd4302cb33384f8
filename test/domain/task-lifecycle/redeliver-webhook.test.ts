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
async function redeliver(given: Partial<Task>, attempts: readonly DeliveryAttempt[] = [], perHour?: number) {
  const host = await testTable();
  const store = stores(host.table, clock);
  const task = aTask({ status: 'failed', callbackUrl: 'https://shop.example', webhookStatus: 'failed', ...given });
  const reopened: number[] = [];
  const tasks = {
    ...store.tasks,
    reopenWebhook: async (_: unknown, attempt: number) => {
      reopened.push(attempt);
      return undefined;
    },
  };
  const queue = { send: async () => undefined };
  try {
    const attempt = await redeliverWebhook({ clock, queue, tasks }, { task, attempts }, perHour);
    return { attempt, reopened };
  } catch (error) {
    return { error, reopened };
  } finally {
    await host.close();
  }
}

const firstOfLast = (deliverySeriesLimit - 1) * attemptsPerSeries + 1;

test('redelivery of a webhook can begin the last of the 100 delivery series that a task may have', async () => {
  expect(await redeliver({ webhookFrom: firstOfLast - attemptsPerSeries })).toEqual({
    attempt: firstOfLast,
    reopened: [firstOfLast],
  });
});

test('redelivery of a webhook begins the series after the last stored attempt, even if the task was read earlier', async () => {
  const attempts = [1, 2, 3, 4].map((attempt) => ({ attempt, at: testTime, leaseUntil: testTime }));
  expect(await redeliver({ webhookFrom: 1 }, attempts)).toEqual({ attempt: 7, reopened: [7] });
});

test('a webhook that has had 100 series of attempts cannot be redelivered, and the error says why', async () => {
  const { error, reopened } = await redeliver({ webhookFrom: firstOfLast });
  expect(error).toBeInstanceOf(Rejection);
  expect(error).toMatchObject({
    kind: 'not-deliverable',
    message: expect.stringContaining('100 series of attempts'),
  });
  expect(reopened).toEqual([]);
});

test('redelivery of a webhook whose task is deleted in the meantime is rejected, and nothing is enqueued', async () => {
  const task = aTask({ status: 'failed', callbackUrl: 'https://shop.example', webhookStatus: 'failed' });
  const sent: unknown[] = [];
  const queue = { send: async (message: unknown) => void sent.push(message) };
  const host = await testTable();
  const tasks = { ...stores(host.table, clock).tasks, reopenWebhook: async () => 'deleted' as const };
  const redelivery = redeliverWebhook({ clock, queue, tasks }, { task, attempts: [] });
  await expect(redelivery).rejects.toMatchObject({ kind: 'not-deliverable' });
  expect(sent).toEqual([]);
  await host.close();
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
    expect(error).toMatchObject({ kind: 'not-deliverable', message: expect.stringContaining(message) });
    expect(reopened).toEqual([]);
  },
);

/** The attempts of redeliveries at times before now, in seconds, after a first series of three failed attempts. */
const redelivered = (...secondsAgo: readonly number[]): DeliveryAttempt[] => {
  const attempt = (number: number, ago: number) => {
    const at = testTime - 1000 * ago;
    return { attempt: number, at, leaseUntil: at };
  };
  const first = [1, 2, 3].map((number) => attempt(number, 100));
  return [...first, ...secondsAgo.flatMap((ago, index) => [4, 5, 6].map((number) => attempt(3 * index + number, ago)))];
};

test('an owner’s redelivery beyond the hourly limit is rejected with the time after which to retry', async () => {
  const { error, reopened } = await redeliver({ webhookFrom: 7 }, redelivered(3000, 60), 2);
  expect(error).toMatchObject({ kind: 'rate-limited', details: { retryAfterSeconds: 600 } });
  expect(reopened).toEqual([]);
});

test('only redeliveries of the last hour count towards a task’s hourly limit, not its first series or later attempts', async () => {
  expect(await redeliver({ webhookFrom: 4 }, redelivered(60), 2)).toMatchObject({ attempt: 7 });
  expect(await redeliver({ webhookFrom: 10 }, redelivered(7200, 3600, 60), 2)).toMatchObject({ attempt: 13 });
});

test('an operator’s redeliveries have no hourly limit', async () => {
  expect(await redeliver({ webhookFrom: 10 }, redelivered(3, 2, 1))).toMatchObject({ attempt: 13 });
});
