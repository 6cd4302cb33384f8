/** Webhook deliveries that find no free slot, whose message is repeated, late or lost, or whose worker crashes. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { stores } from '../../shared/domain/stores.ts';
import { testAccountOf } from '../../shared/domain/test-account.ts';
import { deliveriesPerAccount, deliverySlots, slowAttemptMs } from '../../shared/domain/webhooks/delivery-slots.ts';
import { failedWebhooks } from '../../shared/domain/webhooks/failed-webhooks.ts';
import type { Table } from '../../shared/platform/dynamo-table.ts';
import { endUnnotified } from '../support/end-unnotified.ts';
import { eventually } from '../support/eventually.ts';
import type { TestAccount } from '../support/test-service.ts';
import { webhookScene } from './webhook-scene.ts';

let account: TestAccount;

const scene = await webhookScene();
const { host } = scene;
afterAll(() => scene.close());
beforeEach(async () => {
  scene.completeTasks();
  host.receiver.respond((response) => {
    response.writeHead(204).end();
  });
  account = await host.account();
});

const speak = (callbackUrl = host.receiver.url, token = account.token) =>
  host.speak(token, { text: 'Uma frase.', voice: 'lily', callbackUrl });

/** The queue's message for an attempt. */
const message = (taskId: string, attempt: number, deferrals = 0) => ({
  Records: [{ messageId: 'm', body: JSON.stringify({ taskId, attempt, deferrals }) }],
});

/** A task that has ended and whose first delivery message was lost. */
const owedTask = async (callbackUrl?: string, token?: string) => {
  host.engine.play({});
  const taskId = await speak(callbackUrl, token);
  const task = await host.service.context.tasks.find(taskId);
  if (!task) throw new Error('no task');
  await endUnnotified(host.service.context, task, { status: 'failed', code: 'INTERNAL_ERROR' });
  return taskId;
};

const settled = (taskId: string) => scene.settled(account.token, taskId);

describe('a repeated delivery message', () => {
  test('causes no second attempt, even if many copies of it arrive concurrently', async () => {
    const taskId = await speak();
    await settled(taskId);
    const deliver = () => host.service.invoke('deliverWebhook', message(taskId, 1));
    await Promise.all(Array.from({ length: 10 }, deliver));
    expect(host.receiver.of(taskId)).toHaveLength(1);
  });

  test('records an attempt as interrupted if its worker crashed while sending and its lease is over, and starts the next', async () => {
    const taskId = await host.speak(account.token, { text: 'Oi.', voice: 'bill' });
    await host.ended(account.token, taskId);
    // A delivery whose first attempt was claimed by a worker that has crashed.
    const { context } = host.service;
    const callbackUrl = host.receiver.url;
    await context.table.update({
      Key: { pk: `TASK#${taskId}`, sk: 'TASK' },
      UpdateExpression: 'SET callbackUrl = :url, webhookStatus = :pending, webhookFrom = :one',
      ExpressionAttributeValues: { ':url': callbackUrl, ':pending': 'pending', ':one': 1 },
    });
    await context.deliveries.claim(taskId, 1, { worker: 'dead', now: host.clock.now() });
    const deliver = () => host.service.invoke('deliverWebhook', message(taskId, 1));
    expect(await deliver()).toEqual({ batchItemFailures: [] });
    expect((await host.task(account.token, taskId)).webhook).toMatchObject({ status: 'pending', attempts: [] });
    host.clock.advance(31_000);
    expect(await deliver()).toEqual({ batchItemFailures: [] });
    expect(await settled(taskId)).toMatchObject({
      status: 'delivered',
      attempts: [{ error: 'interrupted' }, { statusCode: 204 }],
    });
    expect(host.receiver.of(taskId)).toHaveLength(1);
  });
});

describe('a webhook delivery whose workers crash, or whose table is slow or loses responses', () => {
  /** Replaces the table's method for puts. */
  const withTable = async (put: (input: object, real: Table['put']) => Promise<void>, work: () => Promise<unknown>) => {
    const { context } = host.service;
    const table: Table = { ...context.table, put: (input) => put(input, (again) => context.table.put(again)) };
    await host.withContext({ ...context, ...stores(table, context.clock) }, work);
  };

  test('makes no attempt too early after a slow claim of the delivery', async () => {
    host.receiver.respond((response, attempt) => {
      response.writeHead(attempt === 1 ? 500 : 200).end();
    });
    const taskId = await owedTask();
    const slowly = async (input: object, real: Table['put']) => {
      await real(input as never);
      await sleep(1200);
    };
    await withTable(slowly, () => host.service.invoke('deliverWebhook', message(taskId, 1)));
    await settled(taskId);
    const [first, second] = host.receiver.of(taskId);
    expect((second?.at ?? 0) - (first?.respondedAt ?? 0)).toBeGreaterThanOrEqual(1990);
  });

  test('repeats an attempt under the same number when the worker crashed before sending its first byte', async () => {
    let [connections, received] = [0, 0];
    const receiver = createServer((socket) => {
      connections += 1;
      socket.on('error', () => undefined);
      socket.once('data', () => {
        received += 1;
        socket.end('HTTP/1.1 204 No Content\r\n\r\n');
      });
    });
    await once(receiver.listen(0, '127.0.0.1'), 'listening');
    const taskId = await owedTask(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`);
    const dying = async () => {
      await eventually('the connection', () => connections > 0 || undefined);
      throw new Error('the worker died');
    };
    await withTable(dying, () => host.service.invoke('deliverWebhook', message(taskId, 1)));
    expect(received).toBe(0);
    await host.service.invoke('deliverWebhook', message(taskId, 1));
    expect(await settled(taskId)).toMatchObject({ status: 'delivered', attempts: [{ statusCode: 204 }] });
    expect({ connections, received }).toEqual({ connections: 2, received: 1 });
    receiver.close();
  });

  test('recognizes its own claim when the response to the claim was lost', async () => {
    const taskId = await owedTask();
    const twice = async (input: object, real: Table['put']) => {
      await real(input as never);
      await real(input as never);
    };
    await withTable(twice, () => host.service.invoke('deliverWebhook', message(taskId, 1)));
    expect(await settled(taskId)).toMatchObject({ status: 'delivered', attempts: [{ statusCode: 204 }] });
  });

  test('is found among failed webhooks if its worker crashed after the last attempt, but not with a test token', async () => {
    host.receiver.respond((response) => {
      response.writeHead(500).end();
    });
    const { context } = host.service;
    const { token } = await host.token(testAccountOf(account.accountId));
    const [taskId, ofTest] = [await owedTask(), await speak(host.receiver.url, token)];
    await host.ended(token, ofTest);
    const dying = { ...context.tasks, settleWebhook: () => Promise.reject(new Error('the worker died')) };
    await host.withContext({ ...context, tasks: dying }, () =>
      host.service.invoke('deliverWebhook', message(taskId, 3)),
    );
    for (const id of [taskId, ofTest]) await host.service.invoke('deliverWebhook', message(id, 3));
    expect((await context.tasks.findMany([taskId, ofTest])).map(({ webhookStatus }) => webhookStatus)).toEqual([
      'failed',
      'failed',
    ]);
    const found = (await failedWebhooks(context, host.clock.now())).map((task) => task.taskId);
    expect(found.filter((id) => id === taskId || id === ofTest)).toEqual([taskId]);
  });

  test('ignores a late message of an earlier delivery series', async () => {
    host.receiver.respond((response) => {
      response.writeHead(500).end();
    });
    const taskId = await owedTask();
    for (const attempt of [1, 2, 3]) await host.service.invoke('deliverWebhook', message(taskId, attempt));
    expect(await settled(taskId)).toMatchObject({ status: 'failed' });
    host.receiver.respond((response) => {
      response.writeHead(200).end();
    });
    await host.service.context.tasks.reopenWebhook(taskId, 4, host.clock.now());
    await host.service.invoke('deliverWebhook', message(taskId, 4));
    await host.service.invoke('deliverWebhook', message(taskId, 3));
    expect((await host.task(account.token, taskId)).webhook).toMatchObject({ status: 'delivered' });
    const found = await scene.verdicts(host.receiver.of(taskId));
    expect(found).toEqual(Array.from({ length: 4 }, () => expect.objectContaining({ ok: true, id: `msg_${taskId}` })));
  });
});

describe('a webhook delivery', () => {
  const delivery = () => ({
    accountId: account.accountId,
    host: new URL(host.receiver.url).host,
    worker: host.service.context.ids.next(),
  });

  test.for([
    { reason: 'all slots of its account are taken', isSlow: false, deferrals: 2, delaySeconds: 4 },
    { reason: 'its slow receiver already gets another', isSlow: true, deferrals: 0, delaySeconds: 15 },
  ])('sends nothing and is enqueued again while $reason, and is made once a slot is free', async (given) => {
    const { isSlow, deferrals, delaySeconds } = given;
    const taskId = await owedTask();
    const { context } = host.service;
    const slots = deliverySlots(context.table);
    const now = host.clock.now();
    if (isSlow) {
      const slow = delivery();
      await slots.acquire(slow, now - slowAttemptMs);
      await slots.release(slow, now - slowAttemptMs, now);
    }
    const taken = Array.from({ length: isSlow ? 1 : deliveriesPerAccount }, delivery);
    for (const one of taken) expect(await slots.acquire(one, now)).toBe('admitted');

    const enqueued: unknown[] = [];
    const queue = { send: async (...sent: unknown[]) => void enqueued.push(sent) };
    const watched = { ...context, clock: { now: () => now }, queue };
    await host.withContext(watched, async () => {
      await host.service.invoke('deliverWebhook', message(taskId, 1, deferrals));
      expect(host.receiver.of(taskId)).toEqual([]);
      expect(await context.tasks.findWithDeliveries(taskId)).toMatchObject({ attempts: [] });
      const again = { taskId, attempt: 1, deferrals: deferrals + 1 };
      expect(enqueued).toEqual([[again, { delaySeconds, group: account.accountId }]]);
      for (const one of taken) await slots.release(one, now, now);
      await host.service.invoke('deliverWebhook', message(taskId, again.attempt, again.deferrals));
    });
    expect(await settled(taskId)).toMatchObject({ status: 'delivered', attempts: [{ statusCode: 204 }] });
    expect(host.receiver.of(taskId)).toHaveLength(1);
  });
});

test('the sweeper replaces a delivery message that was lost after a task ended', async () => {
  const taskId = await owedTask();
  expect(host.receiver.of(taskId)).toEqual([]);
  host.clock.advance(31_000);
  await host.service.invoke('sweepTasks', {});
  expect(await settled(taskId)).toMatchObject({ status: 'delivered' });
  expect(host.receiver.of(taskId)).toHaveLength(1);
});
