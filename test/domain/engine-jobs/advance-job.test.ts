/** One attempt at an engine job: its request to the engine, the stored row, and the report to the waiting execution. */
import { beforeEach, describe, expect, test } from 'vitest';
import { jobOfCallbackAddress } from '../../../shared/domain/engine-jobs/callback-address.ts';
import { mainJob } from '../../../shared/domain/engine-jobs/engine-job.ts';
import { stopJobs } from '../../../shared/domain/engine-jobs/stop-jobs.ts';
import { jobKey } from '../../../shared/domain/keys.ts';
import type { EngineJob } from '../../../shared/engines/engine.ts';
import { tableInTests, testTime } from '../../support/test-table.ts';
import { accepted, callbackKey, done, jobAttempts, raise, timedOut } from './job-attempts.ts';

let world: ReturnType<typeof jobAttempts>;

const host = await tableInTests();
beforeEach(() => {
  world = jobAttempts(host);
});

const rejected = { status: 'failed', code: 'CONTENT_REJECTED' } as const;

describe('an engine job that has not been accepted', () => {
  test('is submitted with its input and model, a callback address and an idempotency key', async () => {
    const task = await world.createTask();
    const jobs: EngineJob[] = [];
    world.engine.submit = async (job) => {
      jobs.push(job);
      return accepted;
    };
    await world.attempt(task);
    await world.attempt(task, {}, 'cut-01');
    expect(jobs).toMatchObject([
      { input: { text: 'Oi.' }, model: 'a model', taskType: 'voice', taskId: task.taskId },
      { taskId: `${task.taskId}.cut-01` },
    ]);
    const address = /^https:\/\/api\.example\/inbound\/engines\/offline\/(.*)$/.exec(jobs[1]?.callbackUrl ?? '')?.[1];
    expect(jobOfCallbackAddress(callbackKey, 'offline', address ?? '')).toEqual({
      taskId: task.taskId,
      name: 'cut-01',
    });
  });

  test('waits for the engine’s callback once submitted, or is polled if the engine requires it', async () => {
    const task = await world.createTask();
    await world.attempt(task);
    expect(world.asked).toEqual([]);
    const { deadlineAt } = task;
    const agreed = { begunAt: testTime, token: 'token', engine: 'offline', reference: 'r-1', deadlineAt };
    expect(await world.jobOf(task)).toStrictEqual({ ...agreed, completion: 'callback' });
    const polled = await world.createTask();
    world.engine.submit = async () => ({ ...accepted, completion: 'polling' });
    await world.attempt(polled);
    expect(world.asked).toEqual([['fail', 'token', 'StillRunning']]);
  });

  test('ends with the result or rejection that the engine returns at once', async () => {
    for (const outcome of [done, rejected]) {
      const task = await world.createTask();
      world.engine.submit = async () => outcome;
      world.asked.length = 0;
      await world.attempt(task);
      expect(world.asked).toEqual([['succeed', 'token', outcome]]);
      expect((await host.table.get(jobKey(task.taskId, mainJob)))?.outcome).toEqual(outcome);
      const { status } = (await world.tasks.find(task.taskId)) ?? {};
      expect(status).toBe(outcome === done ? 'processing' : 'pending');
    }
  });

  test('waits until its deadline for an engine without capacity, and then does not count as a failure of the engine', async () => {
    const task = await world.createTask();
    let submissions = 0;
    world.engine.submit = async () => {
      submissions += 1;
      return { status: 'busy' };
    };
    for (let attempts = 0; attempts < 10; attempts += 1) await world.attempt(task);
    expect(submissions).toBe(10);
    expect(world.asked).toEqual(Array.from({ length: 10 }, () => ['fail', 'token', 'StillRunning']));
    expect(await world.jobOf(task)).toStrictEqual({ begunAt: testTime, token: 'token' });
    world.engine.submit = async () => accepted;
    await world.attempt(task);
    expect(await world.jobOf(task)).toMatchObject({ reference: accepted.reference });
  });

  test('is not submitted, and costs nothing, when its inputs cannot be used', async () => {
    const charged = ['rejected', 'failed', 'canceled'] as const;
    const task = await world.createTask({ enginePrices: { make: { per: 'job', micros: 7, charged } } });
    world.engine.submit = raise(new Error('must not be asked'));
    const unusable = { status: 'failed', code: 'INPUT_INVALID', detail: 'imageUrl is not an image' } as const;
    await world.attempt(task, { request: async () => unusable });
    expect(world.asked).toEqual([['succeed', 'token', unusable]]);
    expect(await world.jobOf(task)).toMatchObject({ outcome: unusable, costMicros: 0 });
    const refused = await world.createTask({ enginePrices: { make: { per: 'job', micros: 7, charged } } });
    world.engine.submit = async () => unusable;
    await world.attempt(refused);
    expect(await world.jobOf(refused)).toMatchObject({ outcome: unusable, costMicros: 7 });
  });

  test('is canceled when its task was stopped during the submission', async () => {
    const task = await world.createTask();
    world.engine.submit = async () => {
      await stopJobs(world.needs, task.taskId, 'CANCELED');
      return accepted;
    };
    await world.attempt(task);
    const canceled = { status: 'failed', code: 'CANCELED' } as const;
    expect(world.asked).toEqual([
      ['succeed', 'token', canceled],
      ['cancel', 'r-1'],
      ['succeed', 'token', canceled],
    ]);
  });

  test('is canceled when another attempt’s submission was accepted first; the first one is kept', async () => {
    const task = await world.createTask();
    world.engine.submit = async () => {
      const { deadlineAt } = task;
      const first = { engine: 'offline', reference: 'r-0', completion: 'callback', deadlineAt } as const;
      await world.engineJobs.recordAcceptance({ taskId: task.taskId, name: mainJob }, first);
      return accepted;
    };
    await world.attempt(task);
    expect(world.asked).toEqual([['cancel', 'r-1']]);
    expect(await world.jobOf(task)).toMatchObject({ reference: 'r-0' });
  });

  test('is not canceled when it finished during the submission', async () => {
    const task = await world.createTask();
    world.engine.submit = async () => {
      await world.engineJobs.recordOutcome({ taskId: task.taskId, name: mainJob }, done, testTime);
      return accepted;
    };
    await world.attempt(task);
    expect(world.asked).toEqual([['succeed', 'token', done]]);
  });

  test('times out at its deadline, and then does not count as a failure of the engine', async () => {
    const task = await world.createTask();
    world.time.now = task.deadlineAt - 1;
    await world.attempt(task, {}, 'cut-01');
    expect(world.asked).toEqual([]);
    world.time.now = task.deadlineAt;
    await world.attempt(task);
    expect(world.asked).toEqual([['succeed', 'token', { ...timedOut, isOwn: true }]]);
  });
});

test('advancing a job whose task has ended returns the task’s failure and calls no engine', async () => {
  world.engine.submit = raise(new Error('must not be asked'));
  await world.attempt(await world.createTask({ status: 'failed', errorCode: 'PROVIDER_ERROR' }));
  await world.attempt(await world.createTask({ status: 'completed' }));
  expect(world.asked).toEqual([
    ['succeed', 'token', { status: 'failed', code: 'PROVIDER_ERROR' }],
    ['succeed', 'token', { status: 'failed', code: 'CANCELED' }],
  ]);
});

test('a task of an operation with the status `submitted` has it once accepted, and `processing` once work has started', async () => {
  const task = await world.createTask({ taskType: 'video-creative' });
  await world.attempt(task);
  expect(await world.tasks.find(task.taskId)).toMatchObject({ status: 'submitted' });
  await world.attempt(task);
  expect(await world.tasks.find(task.taskId)).toMatchObject({ status: 'processing' });
});
