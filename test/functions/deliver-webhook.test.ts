/** Webhooks: their content, the schedule of their attempts, and what a task shows of them. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { verifyWebhook, type WebhookRequest } from '../../client/verify-webhook.ts';
import { TaskCompleted, TaskFailed } from '../../shared/contracts/webhooks.ts';
import { stores } from '../../shared/domain/stores.ts';
import type { Table } from '../../shared/platform/dynamo-table.ts';
import { endUnnotified } from '../support/end-unnotified.ts';
import { eventually } from '../support/eventually.ts';
import { type TestAccount, type TestService, testService } from '../support/test-service.ts';
import type { Delivery } from '../support/webhook-receiver.ts';

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

/** What a receiver finds when it verifies deliveries with the published keys. */
const verdicts = async (deliveries: readonly Delivery[]) => {
  const served = await fetch(`${host.url}/.well-known/webhook-keys.json`);
  const keys = (await served.json()) as WebhookRequest['keys'];
  return deliveries.map(({ body, headers }) => verifyWebhook({ body, headers, keys, now: host.clock.now() }));
};

test('a completed task is sent with exactly the specified headers, fields and order', async () => {
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

test('a failed task is sent with its error, after the refund', async () => {
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
  test('gets three attempts with the same body, two and four seconds after the previous one ended, never earlier', async () => {
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

  test('gets one id and three signatures over the times of the attempts, all valid by the published keys', async () => {
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

  test('once gets a second attempt, and no third', async () => {
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

  test('by redirecting is not followed, and gets another attempt', async () => {
    host.receiver.answer((response, attempt) => {
      if (attempt === 1) response.writeHead(302, { location: `${host.receiver.url}/elsewhere` }).end();
      else response.writeHead(200).end();
    });
    const taskId = await speak();
    await settled(taskId);
    expect(host.receiver.of(taskId).map(({ path }) => path)).toEqual(['/hook', '/hook']);
  });

  test('to respond has its attempt ended after ten seconds, and delays no other receiver', async () => {
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

  test('to finish the body of a 200 has still confirmed the delivery', async () => {
    host.receiver.answer((response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('x');
    });
    const taskId = await speak();
    expect(await settled(taskId)).toMatchObject({ status: 'delivered', attempts: [{ statusCode: 200, error: null }] });
    expect(host.receiver.of(taskId)).toHaveLength(1);
  });

  test('to accept connections is shown as such, without its address', async () => {
    const taskId = await speak('http://127.0.0.1:9/closed');
    expect(await settled(taskId)).toMatchObject({
      status: 'failed',
      attempts: Array.from({ length: 3 }, () => ({ statusCode: null, error: 'connection' })),
    });
  });
});

describe('repeated messages', () => {
  test('repeat no attempt, in whatever number and however concurrent', async () => {
    const taskId = await speak();
    await settled(taskId);
    const deliver = () => host.service.invoke('deliverWebhook', message(taskId, 1));
    await Promise.all(Array.from({ length: 10 }, deliver));
    expect(host.receiver.of(taskId)).toHaveLength(1);
  });

  test('count an attempt whose worker died while sending, once its lease has run out, and make the next', async () => {
    const taskId = await host.speak(account.token, { text: 'Oi.', voice: 'bill' });
    await host.ended(account.token, taskId);
    // A task whose first attempt was claimed by a worker that has died.
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

describe('a worker that dies, or whose table is slow or loses responses', () => {
  /** Replaces the table's puts. */
  const withTable = async (put: (input: object, real: Table['put']) => Promise<void>, work: () => Promise<unknown>) => {
    const { context } = host.service;
    const table: Table = { ...context.table, put: (input) => put(input, (again) => context.table.put(again)) };
    await host.withContext({ ...context, ...stores(table, context.clock) }, work);
  };

  const owedTask = async (callbackUrl?: string) => {
    host.engine.play({});
    const taskId = await speak(callbackUrl);
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

  test('makes an attempt again under the same number when its worker died before the first byte', async () => {
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

  test('recognizes its own claim when the response to it was lost', async () => {
    const taskId = await owedTask();
    const twice = async (input: object, real: Table['put']) => {
      await real(input as never);
      await real(input as never);
    };
    await withTable(twice, () => host.service.invoke('deliverWebhook', message(taskId, 1)));
    expect(await settled(taskId)).toMatchObject({ status: 'delivered', attempts: [{ statusCode: 204 }] });
  });

  test('lets no late message of an earlier series settle a later one', async () => {
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

test('the sweeper replaces a message that was lost after the end of a task', async () => {
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
