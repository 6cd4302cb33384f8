/** Attempts to advance an engine job that the engine has accepted. */
import { beforeEach, describe, expect, test } from 'vitest';
import { mainJob } from '../../../shared/domain/engine-jobs/engine-job.ts';
import { checkTime } from '../../../shared/domain/index-keys.ts';
import { taskKey } from '../../../shared/domain/keys.ts';
import { overdueMs } from '../../../shared/domain/tasks/task.ts';
import { tableInTests, testTime } from '../../support/test-table.ts';
import { accepted, done, jobAttempts, raise, timedOut } from './job-attempts.ts';

let world: ReturnType<typeof jobAttempts>;

const host = await tableInTests();
beforeEach(() => {
  world = jobAttempts(host);
});

describe('an accepted engine job', () => {
  test.each([
    ['callback', []],
    ['polling', [['fail', 'token', 'StillRunning']]],
  ] as const)('that reports by %s shows its progress while it runs', async (completion, heard) => {
    const task = await world.createAccepted(completion);
    world.engine.check = world.recording('check', { status: 'running', progress: 40 });
    await world.attempt(task);
    expect(world.asked).toEqual([['check', 'r-1'], ...heard]);
    const { deadlineAt } = task;
    const stored = await host.table.get(taskKey(task.taskId));
    expect(stored).toMatchObject({
      status: 'processing',
      progress: 40,
      startedAt: testTime,
      openSk: checkTime(deadlineAt + overdueMs),
    });
  });

  test('is polled again after two seconds if its engine asks for that, unless it makes only one of the task’s clips', async () => {
    const task = await world.createTask();
    world.engine.submit = async () => ({ ...accepted, completion: 'polling' });
    world.engine.check = async () => ({ status: 'running', progress: 40, pollAgain: 'soon' });
    for (const job of [mainJob, 'cut-01']) {
      await world.attempt(task, {}, job);
      world.asked.length = 0;
      await world.attempt(task, {}, job);
      const error = job === mainJob ? 'StillRunningBriefly' : 'StillRunning';
      expect(world.asked).toEqual([['fail', 'token', error]]);
    }
  });

  test('shows progress that never decreases, stays at 99 or below, and does not count as started while queued', async () => {
    const task = await world.createAccepted('callback', { progress: 30 });
    const shown = async (status: 'queued' | 'running', progress: number) => {
      world.engine.check = async () => ({ status, progress });
      await world.attempt(task);
      return world.tasks.find(task.taskId);
    };
    expect(await shown('queued', 30)).toMatchObject({ status: 'pending', progress: 30 });
    expect(await shown('running', 20)).toMatchObject({ status: 'processing', progress: 30 });
    expect(await shown('running', 100)).toMatchObject({ progress: 99 });
  });

  test('does not change the task’s state unless it is the main job', async () => {
    const task = await world.createTask();
    for (const submitted of [accepted, done]) {
      world.engine.submit = async () => submitted;
      world.engine.check = async () => ({ status: 'running', progress: 40 });
      for (const name of ['cut-01', 'cut-01', submitted.status]) await world.attempt(task, {}, name);
    }
    expect(await world.tasks.find(task.taskId)).toStrictEqual(task);
  });

  test('ends with the outcome that its engine reports when polled', async () => {
    const task = await world.createAccepted('callback');
    world.engine.check = async () => done;
    await world.attempt(task);
    world.engine.check = raise(new Error('must not be asked'));
    await world.attempt(task);
    expect(world.asked).toEqual([
      ['succeed', 'token', done],
      ['succeed', 'token', done],
    ]);
  });

  test('takes a new reference from a progress report, unless its stored reference has changed in the meantime', async () => {
    const task = await world.createAccepted('polling');
    world.engine.check = async () => ({ status: 'running', progress: 55, reference: 'r-1 and its exports' });
    await world.attempt(task);
    expect(await world.jobOf(task)).toMatchObject({ reference: 'r-1 and its exports', completion: 'polling' });
    world.engine.check = async (reference) => {
      await world.engineJobs.recordReference({ taskId: task.taskId, name: mainJob }, { from: reference, to: 'newer' });
      return { status: 'running', progress: 60, reference: 'older' };
    };
    await world.attempt(task);
    expect(await world.jobOf(task)).toMatchObject({ reference: 'newer' });
  });

  test('is submitted again if its engine has lost it, and the lost reference is recorded', async () => {
    const task = await world.createAccepted('callback');
    world.engine.check = async () => ({ status: 'lost' });
    world.engine.submit = async () => ({ ...accepted, reference: 'r-2' });
    await world.attempt(task);
    expect(await world.jobOf(task)).toMatchObject({ reference: 'r-2', lostReferences: ['r-1'] });
    const { taskId } = task;
    expect(world.warnings).toEqual([{ message: 'engine job lost', taskId, job: 'make', losses: 1 }]);
  });

  test('fails if its engine has lost it three times, without another submission', async () => {
    const task = await world.createAccepted('callback');
    world.engine.check = async () => ({ status: 'lost' });
    for (let losses = 1; losses <= 3; losses += 1) await world.attempt(task);
    world.engine.submit = raise(new Error('must not be asked'));
    await world.attempt(task);
    expect(world.asked.at(-1)).toEqual(['succeed', 'token', { status: 'failed', code: 'PROVIDER_ERROR' }]);
  });

  test('is not submitted twice when two attempts discover that it was lost', async () => {
    const task = await world.createAccepted('callback');
    world.engine.submit = raise(new Error('must not be asked'));
    world.engine.check = async () => {
      await world.engineJobs.recordLoss({ taskId: task.taskId, name: mainJob }, 'r-1');
      return { status: 'lost' };
    };
    await world.attempt(task);
    expect(world.asked).toEqual([['fail', 'token', 'StillRunning']]);
  });

  test('is polled again after a failed request instead of being abandoned', async () => {
    const task = await world.createAccepted('callback');
    world.engine.check = raise(new TypeError('fetch failed'));
    await world.attempt(task);
    expect(world.asked).toEqual([['fail', 'token', 'StillRunning']]);
    const { taskId } = task;
    expect(world.warnings).toEqual([{ message: 'engine job check failed', taskId, job: 'make', reason: 'TypeError' }]);
  });

  test('times out at the deadline it was accepted with, and is canceled', async () => {
    const task = await world.createAccepted('callback');
    world.time.now = task.deadlineAt;
    await world.attempt(task, { deadlineAt: task.deadlineAt + 1 });
    expect(world.asked).toEqual([
      ['cancel', 'r-1'],
      ['succeed', 'token', timedOut],
    ]);
    expect((await world.jobOf(task)).outcome).toEqual(timedOut);
  });

  test('is polled at the engine that accepted it, even if the route has changed', async () => {
    const task = await world.createAccepted('callback');
    world.engine.check = world.recording('check', { status: 'queued', progress: 0 });
    await world.attempt(task, { engine: 'another engine' });
    expect(world.asked).toEqual([['check', 'r-1']]);
  });

  test('still ends, with a warning, if its cancellation fails', async () => {
    const task = await world.createAccepted('callback');
    world.engine.cancel = raise(new TypeError('fetch failed'));
    world.time.now = task.deadlineAt;
    await world.attempt(task);
    expect(world.asked).toEqual([['succeed', 'token', timedOut]]);
    const warning = { message: 'engine job cancellation failed', job: 'make', reason: 'TypeError' };
    expect(world.warnings).toEqual([{ ...warning, taskId: task.taskId }]);
  });
});
