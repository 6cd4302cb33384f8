/** Deleting tasks over the API: what is erased, what remains, and what late writers leave behind. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { OperationId } from '../../shared/contracts/registry.ts';
import { checkTime } from '../../shared/domain/index-keys.ts';
import type { DeletedTask } from '../../shared/domain/tasks/deleted-task.ts';
import type { Task } from '../../shared/domain/tasks/task.ts';
import { evenDeleted } from '../../shared/domain/tasks/task-store.ts';
import { eventually } from '../support/eventually.ts';
import { storedItems } from '../support/stored-items.ts';
import { storedKeys } from '../support/stored-keys.ts';
import type { TestAccount } from '../support/test-service.ts';
import { webhookScene } from './webhook-scene.ts';

/** A text that is in every field of a request, so that a search shows whether anything of it is left. */
const canary = 'canary-5d1f';

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

const on = (operationId: OperationId, taskId: string, token = account.token) =>
  host.call(operationId, { token, params: { taskId } });

/** Creates a task with an input file, a client reference and a webhook, all of which contain this text. */
async function edit(): Promise<string> {
  const body = {
    prompt: `Um ${canary} azul`,
    imageUrl: `${host.engine.inputUrls.image}?${canary}`,
    callbackUrl: `${host.receiver.url}?${canary}`,
  };
  const headers = { 'x-client-reference': canary, 'idempotency-key': canary };
  const response = await host.call('editImage', { token: account.token, body, headers });
  expect(response.status, response.text).toBe(202);
  return (response.body.data as { taskId: string }).taskId;
}

const storage = () => host.service.environment.AWS_ENDPOINT_URL_S3;
const filesOf = (taskId: string) => storedKeys(storage(), taskId);
const remains = (taskId: string) => host.service.context.tasks.find(taskId, evenDeleted);
const sweep = (everything = true) => host.service.invoke('sweepTasks', { everything });

/** The keys of rows that contain a text anywhere, apart from its digests. */
async function rowsWith(text: string): Promise<string[]> {
  const items = await storedItems(host.service.environment);
  return [...items].filter(([, item]) => JSON.stringify(item).includes(text)).map(([key]) => key);
}

async function expectErased(taskId: string): Promise<void> {
  expect(await rowsWith(canary)).toEqual([]);
  expect(await filesOf(taskId)).toEqual([]);
}

const webhookSettled = (taskId: string) =>
  eventually('the webhook', async () => ((await remains(taskId))?.webhookStatus === 'pending' ? undefined : true));

describe('a deleted task', () => {
  test('leaves no text or file behind once its webhook is delivered, and other tasks keep theirs', async () => {
    const [taskId, other] = [await edit(), await host.speak(account.token)];
    const [ended, kept] = [await host.ended(account.token, taskId), await host.ended(account.token, other)];
    await scene.settled(account.token, taskId);
    expect((await filesOf(taskId)).map((key) => key.split('/')[0])).toEqual(['inputs', 'results']);
    expect(await rowsWith(canary)).not.toEqual([]);
    expect((await on('deleteTask', taskId)).body.data).toEqual({ taskId, deleted: true });
    await expectErased(taskId);
    expect((await fetch(ended.resultUrl ?? '')).status).toBe(404);
    expect(await host.task(account.token, other)).toEqual(kept);
    expect((await fetch(kept.resultUrl ?? '')).status).toBe(200);
    await host.audit();
  });

  test('is found by no operation and in no list, and cannot be deleted again', async () => {
    const taskId = await edit();
    await scene.settled(account.token, taskId);
    await on('deleteTask', taskId);
    const operations = ['getTask', 'listTaskEvents', 'redeliverWebhook', 'cancelTask', 'deleteTask'] as const;
    for (const operationId of operations) expect((await on(operationId, taskId)).status, operationId).toBe(404);
    for (const query of ['', `ids=${taskId}`, 'status=completed', 'taskType=image-edit', `clientReference=${canary}`]) {
      const { body } = await host.call('listTasks', { token: account.token, query });
      expect((body.data as { tasks: unknown[] }).tasks, query).toEqual([]);
    }
  });

  test('stays in the credit history and in the usage', async () => {
    const taskId = await edit();
    await host.ended(account.token, taskId);
    const read = async () => {
      const [credits, usage] = [
        await host.call('listCreditHistory', { token: account.token }),
        await host.call('getUsage', { token: account.token }),
      ];
      return [credits.body.data, usage.body.data];
    };
    const before = await read();
    await on('deleteTask', taskId);
    expect(await read()).toEqual(before);
  });

  test('keeps its stored response for the idempotency key, and a repeated request starts nothing', async () => {
    const taskId = await edit();
    await scene.settled(account.token, taskId);
    await on('deleteTask', taskId);
    expect(await edit()).toBe(taskId);
    expect((await on('getTask', taskId)).status).toBe(404);
    await expectErased(taskId);
  });
});

describe('deleting an open task', () => {
  test('cancels and refunds the task, and keeps only what its webhook needs until the delivery', async () => {
    host.engine.play({});
    const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    host.receiver.respond(async (response) => {
      begun.resolve();
      await released.promise;
      response.writeHead(204).end();
    });
    const taskId = await edit();
    await host.engine.jobOf(taskId);
    await on('deleteTask', taskId);
    await begun.promise;
    expect(await rowsWith(canary)).toEqual([`TASK#${taskId} TASK`]);
    expect(await rowsWith('azul')).toEqual([]);
    expect(await filesOf(taskId)).toEqual([]);
    released.resolve();
    await webhookSettled(taskId);
    const [delivery, ...others] = host.receiver.of(taskId);
    expect(others).toEqual([]);
    expect(delivery?.headers['x-client-reference']).toBe(canary);
    expect(JSON.parse(delivery?.body ?? '')).toMatchObject({ taskId, error: { code: 'CANCELED' } });
    expect((await host.engine.jobOf(taskId)).canceled).toBe(true);
    expect(await host.standing(account.accountId)).toEqual({ balance: 1000, tasks: 0 });
    await expectErased(taskId);
    await host.audit();
  });
});

describe('what is stored for a task while it is being deleted', () => {
  /** The task as a step of its workflow read it before the deletion. */
  const readBefore = async (work: (context: typeof host.service.context, task: Task) => Promise<unknown>) => {
    host.engine.play({});
    const taskId = await edit();
    await host.engine.jobOf(taskId);
    await eventually('the acceptance', async () => {
      const { reference } = await host.service.context.engineJobs.find({ taskId, name: 'make' });
      return reference;
    });
    const task = (await remains(taskId)) as Task;
    await on('deleteTask', taskId);
    await webhookSettled(taskId);
    // Does what the end of the webhook has made due, so that from here on only the late write can make an erasure due.
    await sweep(false);
    const { context } = host.service;
    const stale = { ...context, tasks: { ...context.tasks, find: async () => task } };
    await host.withContext(stale, () => work(context, task));
    expect(await rowsWith(canary)).toEqual([]);
    await sweep(false);
    await expectErased(taskId);
    return taskId;
  };

  test('by the workflow step Finalize is erased by the next sweep', async () => {
    await readBefore(async (_, task) => {
      const job = await host.engine.jobOf(task.taskId);
      const { outputs } = host.engine.done(job) as { outputs: object[] };
      await host.service.invoke('finalize', { taskId: task.taskId, outcome: { status: 'done', outputs } });
      expect(await filesOf(task.taskId)).not.toEqual([]);
    });
  });

  test('by the step that calls the engine is erased by the next sweep', async () => {
    await readBefore(async ({ engineJobs, clock }, { taskId }) => {
      const job = { taskId, name: 'make' };
      await engineJobs.recordInputs(job, [canary]);
      await engineJobs.recordAcceptance(job, {
        engine: 'offline',
        reference: canary,
        completion: 'callback',
        deadlineAt: 1,
      });
      await engineJobs.recordToken(job, canary, clock.now());
      expect((await engineJobs.find(job)).outcome).toEqual({ status: 'failed', code: 'CANCELED' });
    });
  });

  test('by a callback is refused', async () => {
    await readBefore(async (_, { taskId }) => {
      const job = await host.engine.jobOf(taskId);
      expect(await host.engine.callBack(job, { ...host.engine.done(job), canary })).toBe(200);
    });
  });
});

test('a task cannot be deleted by another account, or by a token without the scope of its operation', async () => {
  const stranger = await host.account();
  const taskId = await host.speak(account.token);
  expect((await on('deleteTask', taskId, stranger.token)).status).toBe(404);
  const { token } = await host.token(account.accountId, ['generate:image', 'read:tasks']);
  expect((await on('deleteTask', taskId, token)).status).toBe(403);
  expect((await on('getTask', taskId)).status).toBe(200);
});

test('a redelivery that was requested before a task was deleted starts no new attempts', async () => {
  const { clock, tasks } = host.service.context;
  const taskId = await edit();
  await host.ended(account.token, taskId);
  await webhookSettled(taskId);
  await on('deleteTask', taskId);
  expect(await tasks.reopenWebhook(taskId, 4, clock.now())).toBe('deleted');
  expect(await remains(taskId)).toMatchObject({ webhookStatus: 'delivered', webhookFrom: 1 });
});

// The tests below advance the clock, after which the engine's signatures have expired.

test('recording that a task’s data is erased does not postpone another erasure that became due in the meantime', async () => {
  const { deletedTasks, clock } = host.service.context;
  const taskId = await host.speak(account.token);
  await host.ended(account.token, taskId);
  await on('deleteTask', taskId);
  const seen = (await remains(taskId)) as DeletedTask;
  await deletedTasks.eraseSoon(taskId);
  await deletedTasks.recordErasure(seen, clock.now());
  const dueAt = async () => (await storedItems(host.service.environment)).get(`TASK#${taskId} TASK`)?.openSk?.S;
  expect(await dueAt()).toBe(checkTime(0));
  await sweep(false);
  expect(await dueAt()).not.toBe(checkTime(0));
});

test('a result that the workflow stores for a deleted task is erased by the next sweep', async () => {
  const taskId = await host.speak(account.token);
  await host.ended(account.token, taskId);
  await on('deleteTask', taskId);
  await host.service.invoke('finalize', { taskId, outcome: { Error: 'States.Timeout' } });
  const due = (await storedItems(host.service.environment)).get(`TASK#${taskId} TASK`)?.openSk?.S;
  expect(due).toBe(checkTime(0));
});

test('a deletion that fails half way is completed by the same request, or otherwise by the next sweep', async () => {
  const [first, second] = [await host.speak(account.token), await host.speak(account.token)];
  for (const taskId of [first, second]) {
    await host.ended(account.token, taskId);
    const nowhere = { AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:9' };
    const failed = await host.withEnvironment(nowhere, () => on('deleteTask', taskId));
    expect(failed.status).toBe(500);
    expect((await on('getTask', taskId)).status).toBe(404);
    expect(await filesOf(taskId)).toHaveLength(1);
  }
  expect((await on('deleteTask', first)).status).toBe(200);
  host.clock.advance(31_000);
  await sweep(false);
  expect([...(await filesOf(first)), ...(await filesOf(second))]).toEqual([]);
  expect((await on('deleteTask', second)).status).toBe(404);
});

test('what remains of a deleted task is removed 30 days after the last time at which anything could be stored for it', async () => {
  const taskId = await host.speak(account.token);
  await host.ended(account.token, taskId);
  await on('deleteTask', taskId);
  const expiry = async () => (await storedItems(host.service.environment)).get(`TASK#${taskId} TASK`)?.expiresAt?.N;
  await sweep();
  expect(await expiry()).toBeUndefined();
  // An hour after the deletion, a step of the workflow that began before it may still be running.
  const { deadlineAt = 0 } = (await remains(taskId)) ?? {};
  host.clock.advance(deadlineAt + 3_540_000 - host.clock.now());
  await sweep(false);
  expect(await expiry()).toBeUndefined();
  host.clock.advance(3_600_000);
  await sweep(false);
  const days = (Number(await expiry()) * 1000 - host.clock.now()) / 86_400_000;
  expect(days).toBeCloseTo(30, 1);
});
