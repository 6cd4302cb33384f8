/** Every path through the workflow ends in exactly one terminal state, exact credits, a free slot and one delivery. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type * as contracts from '../../shared/contracts/tasks.ts';
import { eventually } from '../support/eventually.ts';
import { type TestAccount, type TestService, testService } from '../support/test-service.ts';

let host: TestService;
let account: TestAccount;

beforeAll(async () => {
  host = await testService();
});
afterAll(() => host.close());
beforeEach(async () => {
  host.engine.play({});
  account = await host.account({ credits: 10 });
});

const cost = 1;

const speak = () => host.speak(account.token, { text: 'Uma frase.', voice: 'brian', callbackUrl: host.receiver.url });

/** What every end has in common, whichever way it was reached. */
async function expectEnd(taskId: string, status: 'completed' | 'failed', code?: string): Promise<contracts.Task> {
  const task = await host.ended(account.token, taskId);
  expect(task).toMatchObject({ id: taskId, status, creditsUsed: cost });
  expect(task.error?.code).toBe(code);
  expect(task.creditsRefunded).toBe(status === 'failed' ? cost : 0);
  expect(task.progress === 100).toBe(status === 'completed');
  await eventually('the delivery', async () => {
    const { webhook } = await host.task(account.token, taskId);
    return webhook?.status === 'delivered' ? webhook : undefined;
  });
  expect(host.receiver.of(taskId)).toHaveLength(1);
  expect(JSON.parse(host.receiver.of(taskId)[0]?.body ?? '')).toMatchObject({ event: `task.${status}`, status });
  const stored = await host.service.context.accounts.find(account.accountId);
  expect(stored?.balance).toBe(status === 'failed' ? 10 : 10 - cost);
  expect(stored?.openTasks).toEqual([]);
  await host.audit();
  return task;
}

/** Nothing that happens after its end changes a task. */
async function expectStands(taskId: string, ended: contracts.Task): Promise<void> {
  await host.service.invoke('sweepTasks', { everything: true });
  await sleep(300);
  expect(await host.task(account.token, taskId)).toMatchObject({ ...ended, webhook: { status: 'delivered' } });
  expect(host.receiver.of(taskId)).toHaveLength(1);
  await host.audit();
}

describe('an engine that answers at once', () => {
  test('completes the task with a copy of its result', async () => {
    host.engine.play({ submit: (job) => ({ status: 202, body: host.engine.done(job) }) });
    const task = await expectEnd(await speak(), 'completed');
    expect(task.resultUrl).toBe(task.results?.[0]?.url);
    const result = await fetch(task.resultUrl ?? '');
    expect(result.headers.get('content-type')).toBe('audio/mpeg');
    expect((await result.arrayBuffer()).byteLength).toBe(task.results?.[0]?.bytes);
  });

  test('refuses the task: it fails with the reason, and its own words stay out', async () => {
    host.engine.play({
      submit: () => ({ status: 422, body: { error: { code: 'CONTENT_REJECTED', message: 'provider words' } } }),
    });
    const task = await expectEnd(await speak(), 'failed', 'CONTENT_REJECTED');
    expect(JSON.stringify(task)).not.toContain('provider words');
  });

  test('makes something that is no audio: the task fails', async () => {
    host.engine.play({
      submit: (job) => ({
        status: 202,
        body: host.engine.report(job, 'done', {
          outputs: [{ url: `${host.engine.url}/v1/files/x.html`, contentType: 'text/html' }],
        }),
      }),
    });
    await expectEnd(await speak(), 'failed', 'PROVIDER_ERROR');
  });
});

describe('an engine that calls back', () => {
  test('moves the task through processing and progress to completed', async () => {
    const taskId = await speak();
    const job = await host.engine.jobOf(taskId);
    await eventually('processing', async () =>
      (await host.task(account.token, taskId)).status === 'processing' ? true : undefined,
    );
    for (const progress of [20, 60, 40, 100]) {
      expect(await host.engine.callBack(job, host.engine.report(job, 'running', { progress }))).toBe(200);
    }
    expect(await host.task(account.token, taskId)).toMatchObject({ status: 'processing', progress: 99 });
    expect(await host.engine.callBack(job, host.engine.done(job))).toBe(200);
    await expectEnd(taskId, 'completed');
    expect(job.submissions).toBe(1);
  });

  test('calls back before its acceptance has been noted: nothing is lost', async () => {
    host.engine.play({
      submit: async (job) => {
        await host.engine.callBack(job, host.engine.done(job));
        return { status: 202, body: host.engine.report(job, 'queued') };
      },
    });
    await expectEnd(await speak(), 'completed');
  });

  test('calls back before anybody waits: the outcome is kept until somebody does', async () => {
    const taskId = await speak();
    const job = await host.engine.jobOf(taskId);
    // The state machine's time-out takes the waiting attempt away; the next one finds the outcome in the row.
    await host.service.context.callbacks.holdOutcome(
      taskId,
      { status: 'failed', code: 'INPUT_INVALID' },
      host.clock.now(),
    );
    await expectEnd(taskId, 'failed', 'INPUT_INVALID');
    expect(job.submissions).toBe(1);
  });

  test('loses its callback: the task is completed by asking', async () => {
    host.engine.play({ check: (job) => ({ status: 200, body: host.engine.done(job) }) });
    const taskId = await speak();
    await expectEnd(taskId, 'completed');
    expect((await host.engine.jobOf(taskId)).checks).toBeGreaterThan(0);
  });

  test('calls back twice, and once more too late with another outcome: the first stands', async () => {
    const taskId = await speak();
    const job = await host.engine.jobOf(taskId);
    await Promise.all([
      host.engine.callBack(job, host.engine.done(job)),
      host.engine.callBack(job, host.engine.done(job)),
    ]);
    const ended = await expectEnd(taskId, 'completed');
    const late = host.engine.report(job, 'failed', { error: { code: 'PROVIDER_ERROR' } });
    expect(await host.engine.callBack(job, late)).toBe(200);
    await expectStands(taskId, ended);
  });

  test('is imitated: a forged signature and a guessed address change nothing', async () => {
    const taskId = await speak();
    const job = await host.engine.jobOf(taskId);
    expect(await host.engine.callBack(job, host.engine.done(job), 'f'.repeat(64))).toBe(401);
    const guessed = { ...job, callbackUrl: `${job.callbackUrl?.slice(0, -2)}xx` };
    expect(await host.engine.callBack(guessed, host.engine.done(job))).toBe(404);
    expect((await host.task(account.token, taskId)).status).not.toBe('completed');
    await host.engine.callBack(job, host.engine.done(job));
    await expectEnd(taskId, 'completed');
  });

  test('fails the job: the task fails and is refunded', async () => {
    const taskId = await speak();
    const job = await host.engine.jobOf(taskId);
    await host.engine.callBack(job, host.engine.report(job, 'failed', { error: { code: 'PROVIDER_ERROR' } }));
    await expectEnd(taskId, 'failed', 'PROVIDER_ERROR');
  });

  test('forgets the job: it is submitted again under the same id', async () => {
    host.engine.play({
      check: (job) =>
        job.submissions === 1 ? { status: 404, body: {} } : { status: 200, body: host.engine.done(job) },
    });
    const taskId = await speak();
    await expectEnd(taskId, 'completed');
    expect((await host.engine.jobOf(taskId)).submissions).toBe(2);
  });
});

describe('an engine in trouble', () => {
  test('is down for a while: the submission is tried again', async () => {
    host.engine.play({
      submit: (job) => (job.submissions < 3 ? { status: 503, body: {} } : { status: 202, body: host.engine.done(job) }),
    });
    const taskId = await speak();
    await expectEnd(taskId, 'completed');
    expect((await host.engine.jobOf(taskId)).submissions).toBe(3);
  });

  test('stays down: the task fails and is refunded', async () => {
    host.engine.play({ submit: () => ({ status: 500, body: {} }) });
    await expectEnd(await speak(), 'failed', 'PROVIDER_ERROR');
  });

  test('hangs past the deadline: the task fails with PROVIDER_TIMEOUT and the job is cancelled', async () => {
    const taskId = await speak();
    const job = await host.engine.jobOf(taskId);
    host.clock.advance(10 * 60_000 + 1000);
    await expectEnd(taskId, 'failed', 'PROVIDER_TIMEOUT');
    expect(job.canceled).toBe(true);
  });

  test('serves no file for its result: the task fails and is refunded', async () => {
    host.engine.play({
      submit: (job) => ({
        status: 202,
        body: host.engine.report(job, 'done', {
          outputs: [{ url: `${host.engine.url}/v1/nowhere/x.mp3`, contentType: 'audio/mpeg' }],
        }),
      }),
    });
    await expectEnd(await speak(), 'failed', 'PROVIDER_ERROR');
  });
});

describe('a cancel', () => {
  const cancel = (taskId: string) => host.call('cancelTask', { token: account.token, params: { taskId } });

  test('ends an open task, refunds it, stops the engine and the execution; a second one is refused', async () => {
    const taskId = await speak();
    const job = await host.engine.jobOf(taskId);
    await eventually('processing', async () =>
      (await host.task(account.token, taskId)).status === 'processing' ? true : undefined,
    );
    const answer = await cancel(taskId);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({ status: 'failed', error: { code: 'CANCELED' }, creditsRefunded: cost });
    const ended = await expectEnd(taskId, 'failed', 'CANCELED');
    expect(job.canceled).toBe(true);
    expect((await cancel(taskId)).body.error?.code).toBe('TASK_NOT_CANCELABLE');
    await eventually('the end of the execution', () =>
      host.service.stateMachines.executions().find(({ name, status }) => name === taskId && status === 'SUCCEEDED'),
    );
    await host.engine.callBack(job, host.engine.done(job));
    await expectStands(taskId, ended);
  });

  test('during the submission ends the task, and the job that nobody knew of yet is cancelled too', async () => {
    const asked = Promise.withResolvers<string>();
    const canceled = Promise.withResolvers<void>();
    host.engine.play({
      submit: async (job) => {
        asked.resolve(job.id);
        await canceled.promise;
        return { status: 202, body: host.engine.report(job, 'queued') };
      },
    });
    const taskId = await speak();
    await asked.promise;
    expect((await cancel(taskId)).status).toBe(200);
    canceled.resolve();
    await expectEnd(taskId, 'failed', 'CANCELED');
    const job = await host.engine.jobOf(taskId);
    await eventually('the cancel of the job', () => (job.canceled ? true : undefined));
  });

  test('races the completion: exactly one of them wins', async () => {
    const taskId = await speak();
    const job = await host.engine.jobOf(taskId);
    const [, canceled] = await Promise.all([host.engine.callBack(job, host.engine.done(job)), cancel(taskId)]);
    const won = canceled.status === 200;
    await expectEnd(taskId, won ? 'failed' : 'completed', won ? 'CANCELED' : undefined);
  });
});

describe('twenty racing ends of one task', () => {
  test('of all kinds make one terminal state and one refund at most', async () => {
    const taskId = await speak();
    const job = await host.engine.jobOf(taskId);
    const outputs = (host.engine.done(job) as { outputs: object[] }).outputs;
    const { invoke } = host.service;
    const ends = [
      () => invoke('finalize', { taskId, outcome: { status: 'done', outputs } }),
      () => invoke('finalize', { taskId, outcome: { status: 'failed', code: 'PROVIDER_ERROR' } }),
      () => invoke('settleExecution', { detail: { name: taskId, status: 'FAILED' } }),
      () => host.call('cancelTask', { token: account.token, params: { taskId } }),
      () => host.engine.callBack(job, host.engine.done(job)),
    ];
    await Promise.all([ends, ends, ends, ends].flat().map(async (end) => end()));
    const ended = await host.ended(account.token, taskId);
    const rows = await host.service.context.ledger.list(account.accountId, { limit: 100, offset: 0 });
    const refunds = rows.filter(({ reason }) => reason === 'refund');
    expect(refunds).toHaveLength(ended.status === 'failed' ? 1 : 0);
    await eventually('the delivery', () => host.receiver.of(taskId)[0]);
    await expectStands(taskId, await host.task(account.token, taskId));
  });

  test('of one kind make one refund', async () => {
    const taskId = await speak();
    await host.engine.jobOf(taskId);
    const outcome = (index: number) =>
      index % 2 === 0 ? { Error: 'States.TaskFailed' } : { status: 'failed' as const, code: 'PROVIDER_ERROR' as const };
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => host.service.invoke('finalize', { taskId, outcome: outcome(index) })),
    );
    const ended = await host.task(account.token, taskId);
    expect(ended).toMatchObject({ status: 'failed', creditsRefunded: cost });
    const rows = await host.service.context.ledger.list(account.accountId, { limit: 100, offset: 0 });
    expect(rows.filter(({ reason }) => reason === 'refund')).toHaveLength(1);
    await host.audit();
  });
});
