/** Sending a task's webhook again: which series follows, and where it ends. */
import { expect, test } from 'vitest';
import { attemptsPerSeries, deliverySeriesLimit } from '../../../shared/contracts/limits.ts';
import { Rejection } from '../../../shared/domain/rejection.ts';
import { stores } from '../../../shared/domain/stores.ts';
import { redeliverWebhook } from '../../../shared/domain/webhooks/redeliver-webhook.ts';
import { aTask, testTable, testTime } from '../../support/test-table.ts';

const clock = { now: () => testTime };

/** Redelivers the webhook of a task whose latest series begins with an attempt, of which none is stored any more. */
async function redeliverAfter(webhookFrom: number) {
  const host = await testTable();
  const store = stores(host.table, clock);
  const task = aTask({ status: 'failed', callbackUrl: 'https://shop.example', webhookStatus: 'failed', webhookFrom });
  const reopened: number[] = [];
  const tasks = { ...store.tasks, reopenWebhook: async (_: unknown, attempt: number) => void reopened.push(attempt) };
  const queue = { send: async () => undefined };
  try {
    const attempt = await redeliverWebhook({ clock, queue, tasks }, { task, attempts: [] });
    return { attempt, reopened };
  } catch (error) {
    return { error, reopened };
  } finally {
    await host.close();
  }
}

const firstOfLast = (deliverySeriesLimit - 1) * attemptsPerSeries + 1;

test('the last series that a task may have is begun', async () => {
  expect(await redeliverAfter(firstOfLast - attemptsPerSeries)).toEqual({
    attempt: firstOfLast,
    reopened: [firstOfLast],
  });
});

test('a series beyond the limit is rejected with a reason, and nothing begins', async () => {
  const { error, reopened } = await redeliverAfter(firstOfLast);
  expect(error).toBeInstanceOf(Rejection);
  expect(error).toMatchObject({
    kind: 'not-redeliverable',
    message: expect.stringContaining('100 series of attempts'),
  });
  expect(reopened).toEqual([]);
});
