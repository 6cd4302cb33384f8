/** The events of a task over the API, and sending its webhook again. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { TaskEvent } from '../../shared/contracts/task-events.ts';
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

const speak = () => host.speak(account.token, { text: 'Uma frase.', voice: 'lily', callbackUrl: host.receiver.url });

const redeliver = (taskId: string, token = account.token) =>
  host.call('redeliverWebhook', { token, params: { taskId } });

async function eventsOf(taskId: string): Promise<TaskEvent[]> {
  const response = await host.call('listTaskEvents', { token: account.token, params: { taskId } });
  expect(response.status).toBe(200);
  return (response.body.data as { events: TaskEvent[] }).events;
}

const deliveries = (taskId: string, count: number) =>
  eventually('the deliveries', async () => (host.receiver.of(taskId).length === count ? true : undefined));

test('the events of a task agree with the task’s times and cost, and with the attempts of its webhook', async () => {
  const taskId = await speak();
  await scene.settled(account.token, taskId);
  const task = await host.task(account.token, taskId);
  const [attempt] = task.webhook?.attempts ?? [];
  expect(await eventsOf(taskId)).toEqual([
    { at: task.createdAt, type: 'created', actor: 'api', credits: task.creditsUsed },
    { at: task.startedAt, type: 'started', actor: 'engine' },
    { at: task.completedAt, type: 'completed', actor: 'engine' },
    { at: attempt?.at, type: 'webhook_attempted', actor: 'system', statusCode: 204 },
  ]);
});

test('the events of a canceled task end with its refund and its webhook', async () => {
  host.engine.play({});
  const taskId = await speak();
  await host.call('cancelTask', { token: account.token, params: { taskId } });
  await scene.settled(account.token, taskId);
  const types = (await eventsOf(taskId)).map(({ type, actor }) => `${actor} ${type}`);
  expect(types.filter((type) => !type.endsWith('started'))).toEqual([
    'api created',
    'api canceled',
    'system refunded',
    'system webhook_attempted',
  ]);
});

describe('a redelivery', () => {
  test('sends the same webhook again, in a new series of attempts', async () => {
    const taskId = await speak();
    await scene.settled(account.token, taskId);
    const response = await redeliver(taskId);
    expect([response.status, response.body.data]).toEqual([202, { taskId, status: 'pending' }]);
    expect([response.headers.location, response.headers['retry-after']]).toEqual([
      `/api/v1/tasks/${taskId}`,
      undefined,
    ]);
    await deliveries(taskId, 2);
    const [first, second] = host.receiver.of(taskId);
    expect(second?.body).toEqual(first?.body);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  });

  test('is rejected with 409 and sends nothing for a task that is open or has no callbackUrl', async () => {
    const silent = await host.speak(account.token);
    await host.ended(account.token, silent);
    host.engine.play({});
    const open = await speak();
    for (const taskId of [silent, open]) {
      const { status, body } = await redeliver(taskId);
      expect([status, body.error?.code]).toEqual([409, 'WEBHOOK_NOT_DELIVERABLE']);
      expect(host.receiver.of(taskId)).toEqual([]);
    }
  });

  test('requires the scope of the operation that created the task, and its rejection names that scope', async () => {
    const taskId = await speak();
    await scene.settled(account.token, taskId);
    const other = await host.token(account.accountId, ['generate:image', 'generate:video', 'read:tasks']);
    const { status, body } = await redeliver(taskId, other.token);
    expect([status, body.error?.code]).toEqual([403, 'FORBIDDEN']);
    expect(body.error?.message).toContain('generate:audio');
  });

  test('is possible ten times an hour for each task, and then again after Retry-After', async () => {
    const taskId = await speak();
    await scene.settled(account.token, taskId);
    for (let count = 0; count < 10; count += 1) {
      expect((await redeliver(taskId)).status).toBe(202);
      await deliveries(taskId, count + 2);
      await scene.settled(account.token, taskId);
    }
    const rejected = await redeliver(taskId);
    expect([rejected.status, rejected.body.error?.code]).toEqual([429, 'RATE_LIMITED']);
    const seconds = Number(rejected.headers['retry-after']);
    expect(seconds).toBeGreaterThan(3000);
    host.clock.advance(1000 * seconds);
    const { token } = await host.token(account.accountId);
    expect((await redeliver(taskId, token)).status).toBe(202);
  });
});
