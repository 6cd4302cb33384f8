/** The content of webhooks: headers, body, and the token that they carry. */
import { afterAll, beforeEach, expect, test } from 'vitest';
import { TaskCompleted, TaskFailed } from '../../shared/contracts/webhooks.ts';
import { callAsPage, giveSession } from '../support/given-session.ts';
import type { TestAccount } from '../support/test-service.ts';
import { webhookScene } from './webhook-scene.ts';

interface SentRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The headers that the HTTP client adds. */
const transportHeaders = new Set(['accept', 'accept-encoding', 'connection', 'content-length', 'host']);

let account: TestAccount;

const scene = await webhookScene();
const { host } = scene;
afterAll(() => scene.close());
beforeEach(async () => {
  scene.completeTasks();
  account = await host.account();
});

const speak = () => host.speak(account.token, { text: 'Uma frase.', voice: 'lily', callbackUrl: host.receiver.url });

test('the webhook of a completed task has exactly the specified headers and fields, in the specified order', async () => {
  const taskId = await speak();
  await scene.settled(account.token, taskId);
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

test('the webhook of a failed task contains its error and is sent after the refund', async () => {
  host.engine.play({ submit: () => ({ status: 422, body: { error: { code: 'CONTENT_REJECTED', message: 'x' } } }) });
  const taskId = await speak();
  await scene.settled(account.token, taskId);
  const body = host.receiver.of(taskId)[0]?.body ?? '';
  const task = await host.task(account.token, taskId);
  expect(body).toBe(
    JSON.stringify({ event: 'task.failed', taskId, status: 'failed', error: task.error, timestamp: task.completedAt }),
  );
  expect(TaskFailed().safeParse(JSON.parse(body)).success).toBe(true);
  expect(task.creditsRefunded).toBe(1);
});

test.each([['order-42'], ['Pedido nº 7 — ação']])(
  'a webhook has the task’s client reference %s in a header, and exactly the specified body',
  async (reference) => {
    const bytes = Buffer.from(reference, 'utf8').toString('latin1');
    const body = { text: 'Oi.', voice: 'lily', callbackUrl: host.receiver.url };
    const headers = { 'x-client-reference': bytes };
    const response = await host.call('generateVoice', { token: account.token, body, headers });
    const { taskId } = response.body.data as { taskId: string };
    await scene.settled(account.token, taskId);
    const [delivery] = host.receiver.of(taskId);
    expect(Buffer.from(String(delivery?.headers['x-client-reference']), 'latin1').toString('utf8')).toBe(reference);
    expect((await host.task(account.token, taskId)).clientReference).toBe(reference);
    const fields = ['event', 'taskId', 'status', 'resultUrl', 'creditsUsed', 'timestamp'];
    expect(Object.keys(JSON.parse(delivery?.body ?? '{}') as object)).toEqual(fields);
  },
);

test('the dashboard lists a webhook with the request as it was sent, except for its token, timestamp and signature', async () => {
  const body = { text: 'Oi.', voice: 'lily', callbackUrl: host.receiver.url };
  const headers = { 'x-client-reference': Buffer.from('Ação 7', 'utf8').toString('latin1') };
  const response = await host.call('generateVoice', { token: account.token, body, headers });
  const { taskId } = response.body.data as { taskId: string };
  await scene.settled(account.token, taskId);
  const { cookie } = await giveSession(host.service.context, account.accountId);
  const listed = await callAsPage(host.url, 'listDeliveries', { cookie });
  const [{ request } = { request: undefined }] = (listed.body.data as { deliveries: { request: SentRequest }[] })
    .deliveries;
  const [sent] = host.receiver.of(taskId);
  expect(request?.body).toBe(sent?.body);
  const own = Object.entries(sent?.headers ?? {}).filter(([name]) => !transportHeaders.has(name));
  const shown = Object.entries(request?.headers ?? {}).map(([name, value]) => [
    name.toLowerCase(),
    Buffer.from(value, 'utf8').toString('latin1'),
  ]);
  const hidden = ['webhook-signature', 'webhook-timestamp', 'x-webhook-token'];
  expect(
    own
      .map(([name]) => name)
      .filter((name) => hidden.includes(name))
      .toSorted(),
  ).toEqual(hidden);
  expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(own.filter(([name]) => !hidden.includes(name))));
});

test('a webhook has no client reference header if the task has no reference', async () => {
  const taskId = await speak();
  await scene.settled(account.token, taskId);
  expect(host.receiver.of(taskId)[0]?.headers).not.toHaveProperty('x-client-reference');
});

test('a webhook has the webhook token of the API token that created the task', async () => {
  const second = await host.token(account.accountId);
  const taskId = await host.speak(second.token, { text: 'Oi.', voice: 'bill', callbackUrl: host.receiver.url });
  await scene.settled(account.token, taskId);
  expect(host.receiver.of(taskId)[0]?.headers['x-webhook-token']).toBe(second.webhookToken);
  expect(second.webhookToken).not.toBe(account.webhookToken);
});
