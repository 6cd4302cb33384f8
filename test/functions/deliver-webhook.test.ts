/** Webhooks: what is sent, when, how often, and what is told of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { verifyWebhook, type WebhookRequest } from '../../client/verify-webhook.ts';
import { webhookQueueLimits } from '../../infra/hosting.ts';
import { TaskCompleted, TaskFailed } from '../../shared/contracts/webhooks.ts';
import { stores } from '../../shared/domain/stores.ts';
import { deliveriesPerAccount } from '../../shared/domain/webhooks/delivery-slots.ts';
import type { Table } from '../../shared/platform/dynamo-table.ts';
import { endUnnotified } from '../support/end-unnotified.ts';
import { eventually } from '../support/eventually.ts';
import { type TestAccount, type TestService, testService } from '../support/test-service.ts';
import { type Delivery, webhookReceiver } from '../support/webhook-receiver.ts';

let host: TestService;
let account: TestAccount;

beforeAll(async () => {
  host = await testService();
});
afterAll(() => host.close());
beforeEach(async () => {
  host.engine.play({ submit: (job) => ({ status: 202, body: host.engine.done(job) }) });
  host.receiver.answer((response) => {
    response.writeHead(204).end();
  });
  account = await host.account();
});

const speak = (callbackUrl = host.receiver.url) =>
  host.speak(account.token, { text: 'Uma frase.', voice: 'lily', callbackUrl });

/** The queue's message that asks for an attempt. */
const message = (taskId: string, attempt: number) => ({
  Records: [{ messageId: 'm', body: JSON.stringify({ taskId, attempt }) }],
});

const settled = (taskId: string) =>
  eventually('the webhook', async () => {
    const stored = await host.service.context.tasks.find(taskId);
    return stored?.webhookStatus === 'pending' ? undefined : (await host.task(account.token, taskId)).webhook;
  });

/** What a receiver makes of deliveries with the keys that the service publishes. */
const verdicts = async (deliveries: readonly Delivery[]) => {
  const served = await fetch(`${host.url}/.well-known/webhook-keys.json`);
  const keys = (await served.json()) as WebhookRequest['keys'];
  return deliveries.map(({ body, headers }) => verifyWebhook({ body, headers, keys, now: host.clock.now() }));
};

test('a completed task is told with exactly the specified headers, fields and order', async () => {
  const taskId = await speak();
  await settled(taskId);
  const [delivery] = host.receiver.of(taskId);
  const task = await host.task(account.token, taskId);
  expect(delivery?.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'GenerationService-Webhook/1.0',
    'x-webhook-token': account.webhookToken,
  });
  expect(delivery?.body).toBe(
    JSON.stringify({
      event: 'task.completed',
      taskId,
      status: 'completed',
      resultUrl: task.resultUrl,
      creditsUsed: 1,
      timestamp: task.completedAt,
    }),
  );
  expect(TaskCompleted().safeParse(JSON.parse(delivery?.body ?? '')).success).toBe(true);
  expect(task.webhook).toMatchObject({
    url: host.receiver.url,
    status: 'delivered',
    attempts: [{ statusCode: 204, error: null }],
  });
});

test('a failed task is told with its error, after the refund', async () => {
  host.engine.play({ submit: () => ({ status: 422, body: { error: { code: 'CONTENT_REJECTED', message: 'x' } } }) });
  const taskId = await speak();
  await settled(taskId);
  const body = host.receiver.of(taskId)[0]?.body ?? '';
  const task = await host.task(account.token, taskId);
  expect(body).toBe(
    JSON.stringify({ event: 'task.failed', taskId, status: 'failed', error: task.error, timestamp: task.completedAt }),
  );
  expect(TaskFailed().safeParse(JSON.parse(body)).success).toBe(true);
  expect(task.creditsRefunded).toBe(1);
});

test('the token that created the task decides the webhook token', async () => {
  const second = await host.token(account.accountId);
  const taskId = await host.speak(second.token, { text: 'Oi.', voice: 'bill', callbackUrl: host.receiver.url });
  await settled(taskId);
  expect(host.receiver.of(taskId)[0]?.headers['x-webhook-token']).toBe(second.webhookToken);
  expect(second.webhookToken).not.toBe(account.webhookToken);
});

describe('a receiver that fails', () => {
  test('is tried three times, two and four seconds after the end of the one before, never early, with the same bytes', async () => {
    host.receiver.answer((response) => {
      setTimeout(() => response.writeHead(500).end(), 300);
    });
    const taskId = await speak();
    expect(await settled(taskId)).toMatchObject({
      status: 'failed',
      attempts: Array.from({ length: 3 }, () => ({ statusCode: 500, error: 'status 500' })),
    });
    const [first, second, third, ...more] = host.receiver.of(taskId);
    expect(more).toEqual([]);
    expect((second?.at ?? 0) - (first?.answeredAt ?? 0)).toBeGreaterThanOrEqual(1990);
    expect((third?.at ?? 0) - (second?.answeredAt ?? 0)).toBeGreaterThanOrEqual(3990);
    expect(new Set([first?.body, second?.body, third?.body]).size).toBe(1);
  });

  test('gets one id and three signatures, each over the second of its attempt, all good by the published keys', async () => {
    host.receiver.answer((response) => {
      response.writeHead(500).end();
    });
    const taskId = await speak();
    const webhook = await settled(taskId);
    const deliveries = host.receiver.of(taskId);
    const seconds = webhook?.attempts.map(({ at }) => Math.floor(Date.parse(at) / 1000)) ?? [];
    expect(await verdicts(deliveries)).toEqual(
      seconds.map((timestamp) => ({ ok: true, id: `msg_${taskId}`, timestamp })),
    );
    expect(new Set(deliveries.map(({ headers }) => headers['webhook-signature'])).size).toBe(3);
    const [first, second] = deliveries;
    const mixed = { ...first?.headers, 'webhook-signature': second?.headers['webhook-signature'] };
    expect(await verdicts([{ ...first, headers: mixed } as Delivery])).toEqual([
      { ok: false, reason: 'no matching signature' },
    ]);
  });

  test('once, is tried again and then no more', async () => {
    host.receiver.answer((response, attempt) => {
      response.writeHead(attempt === 1 ? 503 : 200).end();
    });
    const taskId = await speak();
    expect(await settled(taskId)).toMatchObject({
      status: 'delivered',
      attempts: [{ statusCode: 503 }, { statusCode: 200 }],
    });
    expect(host.receiver.of(taskId)).toHaveLength(2);
  });

  test('redirects: the redirect is not followed and counts as a failure', async () => {
    host.receiver.answer((response, attempt) => {
      if (attempt === 1) response.writeHead(302, { location: `${host.receiver.url}/elsewhere` }).end();
      else response.writeHead(200).end();
    });
    const taskId = await speak();
    await settled(taskId);
    expect(host.receiver.of(taskId).map(({ path }) => path)).toEqual(['/hook', '/hook']);
  });

  test('never answers: the attempt ends after its ten seconds and another receiver is not kept waiting', async () => {
    let open = 0;
    host.receiver.answer((response, attempt) => {
      if (attempt === 1 && open === 0) open += 1;
      else response.writeHead(200).end();
    });
    const slow = await speak();
    await eventually('the first attempt', () => host.receiver.of(slow)[0]);
    const fast = await speak();
    expect(await settled(fast)).toMatchObject({ status: 'delivered' });
    const told = await settled(slow);
    expect(told?.attempts[0]).toMatchObject({ statusCode: null, error: 'timeout' });
    expect(told?.attempts[0]?.durationMs).toBeGreaterThanOrEqual(9990);
    expect(told?.status).toBe('delivered');
  });

  test('says 200 and then takes its time with the rest: the 200 confirms', async () => {
    host.receiver.answer((response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('x');
    });
    const taskId = await speak();
    expect(await settled(taskId)).toMatchObject({ status: 'delivered', attempts: [{ statusCode: 200, error: null }] });
    expect(host.receiver.of(taskId)).toHaveLength(1);
  });

  test('is not there: the attempts say so without the address', async () => {
    const taskId = await speak('http://127.0.0.1:9/closed');
    expect(await settled(taskId)).toMatchObject({
      status: 'failed',
      attempts: Array.from({ length: 3 }, () => ({ statusCode: null, error: 'connection' })),
    });
  });
});

describe('messages that come more than once', () => {
  test('repeat no attempt, however often and however many at a time', async () => {
    const taskId = await speak();
    await settled(taskId);
    const deliver = () => host.service.invoke('deliverWebhook', message(taskId, 1));
    await Promise.all(Array.from({ length: 10 }, deliver));
    expect(host.receiver.of(taskId)).toHaveLength(1);
  });

  test('a worker that died in an attempt is taken for dead after its lease: the attempt counts, the next is made', async () => {
    const taskId = await host.speak(account.token, { text: 'Oi.', voice: 'bill' });
    await host.ended(account.token, taskId);
    // A task whose first attempt was claimed by somebody who never came back.
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

describe('a worker whose table is slow or answers get lost', () => {
  /** The table's writes, as a test wants them to go wrong. */
  const withTable = async (put: (input: object, real: Table['put']) => Promise<void>, work: () => Promise<unknown>) => {
    const { context } = host.service;
    const table: Table = { ...context.table, put: (input) => put(input, (again) => context.table.put(again)) };
    await host.withContext({ ...context, ...stores(table, context.clock) }, work);
  };

  const owedTask = async () => {
    host.engine.play({});
    const taskId = await speak();
    const task = await host.service.context.tasks.find(taskId);
    if (!task) throw new Error('no task');
    await endUnnotified(host.service.context, task, { status: 'failed', code: 'INTERNAL_ERROR' });
    return taskId;
  };

  test('makes no attempt early because its claim took long', async () => {
    host.receiver.answer((response, attempt) => {
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
    expect((second?.at ?? 0) - (first?.answeredAt ?? 0)).toBeGreaterThanOrEqual(1990);
  });

  test('takes a claim whose answer was lost for its own', async () => {
    const taskId = await owedTask();
    const twice = async (input: object, real: Table['put']) => {
      await real(input as never);
      await real(input as never);
    };
    await withTable(twice, () => host.service.invoke('deliverWebhook', message(taskId, 1)));
    expect(await settled(taskId)).toMatchObject({ status: 'delivered', attempts: [{ statusCode: 204 }] });
  });

  test('lets no late message of an earlier series speak for a later one', async () => {
    host.receiver.answer((response) => {
      response.writeHead(500).end();
    });
    const taskId = await owedTask();
    for (const attempt of [1, 2, 3]) await host.service.invoke('deliverWebhook', message(taskId, attempt));
    expect(await settled(taskId)).toMatchObject({ status: 'failed' });
    host.receiver.answer((response) => {
      response.writeHead(200).end();
    });
    await host.service.context.tasks.reopenWebhook(taskId, 4, host.clock.now());
    await host.service.invoke('deliverWebhook', message(taskId, 4));
    await host.service.invoke('deliverWebhook', message(taskId, 3));
    expect((await host.task(account.token, taskId)).webhook).toMatchObject({ status: 'delivered' });
    const found = await verdicts(host.receiver.of(taskId));
    expect(found).toEqual(Array.from({ length: 4 }, () => expect.objectContaining({ ok: true, id: `msg_${taskId}` })));
  });
});

test('an account whose receiver is silent holds few workers, and delays no other account', async () => {
  const attacker = await host.account();
  const tokens = [attacker.token, (await host.token(attacker.accountId)).token];
  const silent = await webhookReceiver();
  let [open, mostOpen] = [0, 0];
  silent.answer((response) => {
    open += 1;
    mostOpen = Math.max(mostOpen, open);
    response.once('close', () => {
      open -= 1;
    });
  });
  host.engine.play({});
  const canceled: string[] = [];
  for (let pair = 0; pair < webhookQueueLimits.concurrency + 10; pair += 1) {
    const token = tokens[pair % tokens.length] ?? attacker.token;
    const taskId = await host.speak(token, { text: 'Uma frase.', voice: 'lily', callbackUrl: silent.url });
    canceled.push(taskId);
    await host.call('cancelTask', { token, params: { taskId } });
  }
  await eventually('deliveries up to the bound', () => mostOpen >= deliveriesPerAccount || undefined);

  host.engine.play({ submit: (job) => ({ status: 202, body: host.engine.done(job) }) });
  for (const taskId of [await speak(), await speak()]) {
    expect(await settled(taskId)).toMatchObject({ status: 'delivered', attempts: [{ statusCode: 204 }] });
  }
  const { tasks } = host.service.context;
  const found = await Promise.all(canceled.map((taskId) => tasks.findWithDeliveries(taskId)));
  expect(found.filter((one) => one?.attempts.length === 0).length).toBeGreaterThan(0);
  expect(mostOpen).toBe(deliveriesPerAccount);
  await silent.close();
});

test('a message lost between the end of a task and its delivery is made up for by the sweeper', async () => {
  host.engine.play({});
  const taskId = await speak();
  const task = await host.service.context.tasks.find(taskId);
  if (!task) throw new Error('no task');
  await endUnnotified(host.service.context, task, { status: 'failed', code: 'INTERNAL_ERROR' });
  expect(host.receiver.of(taskId)).toEqual([]);
  host.clock.advance(31_000);
  await host.service.invoke('sweepTasks', {});
  expect(await settled(taskId)).toMatchObject({ status: 'delivered' });
  expect(host.receiver.of(taskId)).toHaveLength(1);
});
