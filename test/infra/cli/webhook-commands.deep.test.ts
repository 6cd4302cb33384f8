import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import type { Task } from '../../../shared/domain/tasks/task.ts';
import { endUnnotified } from '../../support/end-unnotified.ts';
import { respondWith, type WebhookReceiver, webhookReceiver } from '../../support/webhook-receiver.ts';
import { startOperatedService } from './operated-service.ts';

const receivers: WebhookReceiver[] = [];

const service = await startOperatedService();
const account = await service.newAccount();

afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
});

afterAll(() => service.close());

async function receiver(statusOf: (attempt: number) => number | Promise<number>): Promise<WebhookReceiver> {
  const started = await webhookReceiver();
  started.respond(async (response, attempt) => respondWith(response, await statusOf(attempt)));
  receivers.push(started);
  return started;
}

async function endedTask(callbackUrl?: string): Promise<Task> {
  const owed = callbackUrl === undefined ? {} : ({ callbackUrl, webhookStatus: 'pending', webhookFrom: 1 } as const);
  const task = await service.newTask(account, owed);
  await endUnnotified(service.context, task, { status: 'failed', code: 'PROVIDER_ERROR' });
  return task;
}

/** A task whose first three attempts at its webhook failed. */
async function undeliveredTask(callbackUrl: string): Promise<Task> {
  const { context } = service;
  const task = await endedTask(callbackUrl);
  const failure = { delivered: false, statusCode: 500, error: 'status 500', durationMs: 1 };
  for (const attempt of [1, 2, 3]) {
    await context.deliveries.claim(task.taskId, attempt, { worker: 'w', now: context.clock.now() });
    await context.deliveries.record(task.taskId, attempt, failure);
  }
  await context.tasks.settleWebhook(task, 'failed');
  return task;
}

const redeliver = (taskId: string) => service.admin(['webhook', 'redeliver', '--task', taskId]);

interface ShownTask {
  readonly webhook: { readonly status: string; readonly attempts: { readonly statusCode: number | null }[] };
}

const webhookOf = async (taskId: string) => (await service.done<ShownTask>('task', 'show', '--task', taskId)).webhook;

const settled = (taskId: string, status: string) =>
  vi.waitFor(async () => expect((await service.context.tasks.find(taskId))?.webhookStatus).toBe(status), 120_000);

it('redelivery sends a webhook again in a new series of three attempts', async () => {
  const { url, deliveries } = await receiver((attempt) => (attempt < 3 ? 500 : 204));
  const { taskId } = await undeliveredTask(url);

  expect(await service.done('webhook', 'redeliver', '--task', taskId)).toEqual({
    taskId,
    webhookStatus: 'pending',
    firstAttempt: 4,
  });
  await settled(taskId, 'delivered');

  expect(deliveries.map((delivery) => delivery.taskId)).toEqual([taskId, taskId, taskId]);
  expect(new Set(deliveries.map(({ body }) => body)).size).toBe(1);
  const { status, attempts } = await webhookOf(taskId);
  expect(status).toBe('delivered');
  expect(attempts.map(({ statusCode }) => statusCode)).toEqual([500, 500, 500, 500, 500, 204]);
});

it('redelivery is rejected for an open task', async () => {
  const { taskId } = await service.newTask(account, { callbackUrl: 'http://127.0.0.1:9/', webhookStatus: 'pending' });
  const { exitCode, stdout, stderr } = await redeliver(taskId);

  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toBe(`Task ${taskId} is pending: its webhook is sent when it ends.\n`);
});

it('redelivery is rejected for a task without a callbackUrl, and records no attempt', async () => {
  const { taskId } = await endedTask();
  const { exitCode, stderr } = await service.admin(['webhook', 'redeliver', '--task', taskId, '--json']);

  expect(exitCode).toBe(1);
  expect(JSON.parse(stderr)).toEqual({ error: `Task ${taskId} was created without a callbackUrl.` });
  expect((await service.context.tasks.find(taskId))?.webhookStatus).toBeUndefined();
});

it('redelivery reports a missing task', async () => {
  const taskId = service.context.ids.next();

  expect(await redeliver(taskId)).toEqual({ exitCode: 1, stdout: '', stderr: `There is no task ${taskId}.\n` });
});

it('the webhook command adds a signing key to a running service, and names the files of earlier keys', async () => {
  const published = async () => {
    const { keys } = (await (await fetch(`${service.url}/.well-known/webhook-keys.json`)).json()) as {
      keys: { kid: string }[];
    };
    return keys.map(({ kid }) => kid);
  };
  const before = await published();
  expect(before).toHaveLength(1);

  const rotated = await service.done<{ kid: string; earlierFiles: string[] }>('webhook', 'rotate-key');
  expect(rotated).toMatchObject({
    published: [rotated.kid, ...before],
    earlierFiles: [expect.stringMatching(/1\.pem$/)],
  });
  expect(await published()).toEqual([rotated.kid, ...before]);

  for (const file of rotated.earlierFiles) rmSync(file);
  expect(await published()).toEqual([rotated.kid]);

  const { exitCode, stdout } = await service.admin(['webhook', 'rotate-key']);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/also signed with the key \S+ in \S+3\.pem; 2 keys are published\.\n.*\n {2}\S+2\.pem\n$/);
});

it('redelivery is left to the sweeper if the queue is unreachable', async () => {
  const { taskId } = await undeliveredTask('http://127.0.0.1:9/hook');
  const path = join(service.dataDir, 'service.json');
  const text = readFileSync(path, 'utf8');
  const file = JSON.parse(text) as { environment: Record<string, string> };
  const nowhere = {
    AWS_ENDPOINT_URL_SQS: 'http://127.0.0.1:9',
    WEBHOOK_QUEUE_URL: 'http://127.0.0.1:9/000000000000/webhooks',
  };
  const environment = { ...file.environment, ...nowhere };
  writeFileSync(path, JSON.stringify({ ...file, environment }));
  const { exitCode, stdout, stderr } = await redeliver(taskId).finally(() => writeFileSync(path, text));

  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toBe('The service does not respond (ECONNREFUSED): is it still running?\n');
  const { clock, tasks } = service.context;
  expect(await tasks.find(taskId)).toMatchObject({ webhookStatus: 'pending', webhookFrom: 4 });
  expect(await tasks.dueBy(clock.now())).not.toContain(taskId);
  expect(await tasks.dueBy(clock.now() + 31_000)).toContain(taskId);
});
