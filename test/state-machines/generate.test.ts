/**
 * Every path through the workflow ends in exactly one terminal state, with exact credits, a free slot and one delivery.
 */
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { mainJob } from '../../shared/domain/engine-jobs/engine-job.ts';
import { eventually } from '../support/eventually.ts';
import type { TestAccount } from '../support/test-service.ts';
import { type Scene, startScene } from './scene.ts';

let account: TestAccount;

const scene = await startScene();
const { host } = scene;
afterAll(() => host.close());
beforeEach(async () => {
  await scene.begin();
  ({ account } = scene);
});

const speak = () => scene.speak();
const expectEnd = (...end: Parameters<Scene['expectEnd']>) => scene.expectEnd(...end);
const expectStands = (...end: Parameters<Scene['expectStands']>) => scene.expectStands(...end);

describe('an engine that completes immediately', () => {
  test('completes the task with a copy of its result', async () => {
    host.engine.play({ submit: (job) => ({ status: 202, body: host.engine.done(job) }) });
    const task = await expectEnd(await speak(), 'completed');
    expect(task.resultUrl).toBe(task.results?.[0]?.url);
    const result = await fetch(task.resultUrl ?? '');
    expect(result.headers.get('content-type')).toBe('audio/mpeg');
    expect((await result.arrayBuffer()).byteLength).toBe(task.results?.[0]?.bytes);
  });

  test('fails the task with the reason, but without the provider’s text, if it rejects the task', async () => {
    host.engine.play({
      submit: () => ({ status: 422, body: { error: { code: 'CONTENT_REJECTED', message: 'provider words' } } }),
    });
    const task = await expectEnd(await speak(), 'failed', 'CONTENT_REJECTED');
    expect(JSON.stringify(task)).not.toContain('provider words');
  });

  test('fails the task if it returns a file that is not audio', async () => {
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

describe('an engine with callbacks', () => {
  test('moves the task to processing, reports its progress and completes it', async () => {
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

  test('can call back before its acceptance has been recorded, without losing the outcome', async () => {
    host.engine.play({
      submit: async (job) => {
        await host.engine.callBack(job, host.engine.done(job));
        return { status: 202, body: host.engine.report(job, 'queued') };
      },
    });
    await expectEnd(await speak(), 'completed');
  });

  test('can call back before the execution waits for it: the outcome is stored until then', async () => {
    const taskId = await speak();
    const job = await host.engine.jobOf(taskId);
    // The state machine's timeout ends the waiting attempt; the next one finds the outcome in the row.
    await host.service.context.engineJobs.recordOutcome(
      { taskId, name: mainJob },
      { status: 'failed', code: 'INPUT_INVALID' },
      host.clock.now(),
    );
    await expectEnd(taskId, 'failed', 'INPUT_INVALID');
    expect(job.submissions).toBe(1);
  });

  test('decides the outcome with its first callback, even if it sends the same again and later reports another outcome', async () => {
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

  test('cannot be impersonated by a forged signature or a guessed URL', async () => {
    const taskId = await speak();
    const job = await host.engine.jobOf(taskId);
    expect(await host.engine.callBack(job, host.engine.done(job), 'f'.repeat(64))).toBe(401);
    const guessed = { ...job, callbackUrl: `${job.callbackUrl?.slice(0, -2)}xx` };
    expect(await host.engine.callBack(guessed, host.engine.done(job))).toBe(404);
    expect((await host.task(account.token, taskId)).status).not.toBe('completed');
    await host.engine.callBack(job, host.engine.done(job));
    await expectEnd(taskId, 'completed');
  });

  test('that reports a failure leads to a failed and refunded task', async () => {
    const taskId = await speak();
    const job = await host.engine.jobOf(taskId);
    await host.engine.callBack(job, host.engine.report(job, 'failed', { error: { code: 'PROVIDER_ERROR' } }));
    await expectEnd(taskId, 'failed', 'PROVIDER_ERROR');
  });
});

describe('a faulty engine', () => {
  test('that is temporarily down receives the submission again', async () => {
    host.engine.play({
      submit: (job) => (job.submissions < 3 ? { status: 503, body: {} } : { status: 202, body: host.engine.done(job) }),
    });
    const taskId = await speak();
    await expectEnd(taskId, 'completed');
    expect((await host.engine.jobOf(taskId)).submissions).toBe(3);
  });

  test('that stays down leads to a failed and refunded task', async () => {
    host.engine.play({ submit: () => ({ status: 500, body: {} }) });
    await expectEnd(await speak(), 'failed', 'PROVIDER_ERROR');
  });

  test('that does not serve the file of its result leads to a failed and refunded task', async () => {
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
