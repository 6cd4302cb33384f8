/** Submissions that fail, and files that come with an engine’s response. */
import { beforeEach, describe, expect, test } from 'vitest';
import { mainJob } from '../../../shared/domain/engine-jobs/engine-job.ts';
import type { JobOrder } from '../../../shared/domain/engine-jobs/submit-job.ts';
import { type Task, transitions } from '../../../shared/domain/tasks/task.ts';
import { closeTask } from '../../../shared/domain/tasks/task-item.ts';
import { tableInTests, testIds } from '../../support/test-table.ts';
import { accepted, jobAttempts, raise } from './job-attempts.ts';

let world: ReturnType<typeof jobAttempts>;

const host = await tableInTests();
beforeEach(() => {
  world = jobAttempts(host);
});

describe('a failed attempt to submit a job ends with an error', () => {
  const failures = async (task: Pick<Task, 'taskId'>, order: Partial<JobOrder> = {}) => {
    await world.attempt(task, order);
    return {
      asked: world.asked,
      reasons: world.warnings.map(({ message, error }) => [message, (error as Error).message]),
    };
  };
  const message = 'engine job attempt failed';

  test('if the task is missing', async () => {
    expect(await failures({ taskId: testIds.next() })).toEqual({
      asked: [['fail', 'token', 'Error']],
      reasons: [[message, 'the task of the execution is missing']],
    });
  });

  test('if the engine is unknown, before and after an acceptance', async () => {
    const task = await world.createTask();
    const reasons = [[message, 'no engine is named gone']];
    expect((await failures(task, { engine: 'gone' })).reasons).toEqual(reasons);
    const acceptance = {
      engine: 'gone',
      reference: 'r-1',
      completion: 'callback',
      deadlineAt: task.deadlineAt,
    } as const;
    await world.engineJobs.recordAcceptance({ taskId: task.taskId, name: mainJob }, acceptance);
    expect((await failures(task)).reasons).toEqual([...reasons, ...reasons]);
  });

  test('that is named an engine fault if the engine throws an error', async () => {
    const cause = new TypeError('fetch failed');
    world.engine.submit = raise(cause);
    const found = await failures(await world.createTask());
    expect(found).toEqual({ asked: [['fail', 'token', 'EngineFault']], reasons: [[message, 'the engine failed']] });
    expect(world.warnings).toMatchObject([{ error: { cause } }]);
  });

  test('that is not named an engine fault if a value other than an error was thrown', async () => {
    const request = () => Promise.reject('a text');
    expect(await failures(await world.createTask(), { request })).toEqual({
      asked: [['fail', 'token', 'Error']],
      reasons: [[message, 'a value that is not an Error was thrown']],
    });
  });
});

test('a task that is canceled while its files are being copied is not submitted to the engine', async () => {
  const task = await world.createTask();
  world.engine.submit = world.recording('submit', accepted);
  const request = async () => {
    world.time.now += 5000;
    const ending = { errorCode: 'CANCELED', errorMessage: 'Canceled.', endedAt: world.time.now } as const;
    await host.table.transact([closeTask(task, transitions.failed, ending, world.time.now)]);
    return { input: {}, model: 'a model' };
  };
  await world.attempt(task, { request });
  expect(world.asked).toEqual([['succeed', 'token', { status: 'failed', code: 'CANCELED' }]]);
});

describe('a file in an engine’s response', () => {
  const file = { bytes: new Uint8Array([1, 2]), contentType: 'image/png' };

  test('is stored with the task’s inputs and readable for an hour', async () => {
    const task = await world.createTask();
    let address: string | undefined;
    world.engine.submit = async ({ keep }) => {
      address = await keep(file);
      return accepted;
    };
    await world.attempt(task);
    const key = `inputs/${task.taskId}/made-id`;
    expect(world.asked).toEqual([['write', key, { body: [file.bytes], contentType: 'image/png' }]]);
    expect(address).toBe(`https://inputs.example/${key}?3600`);
  });

  test('does not count as an engine fault if it cannot be stored', async () => {
    const task = await world.createTask();
    const cause = new Error('no space');
    world.engine.submit = async ({ keep }) => {
      await keep(file);
      return accepted;
    };
    world.needs.inputs.write = raise(cause);
    await world.attempt(task);
    expect(world.asked).toEqual([['fail', 'token', 'KeepingFailed']]);
    expect(world.warnings).toMatchObject([{ error: { message: 'a file could not be stored', cause } }]);
  });
});

test('a repeated submission receives the input copies that an earlier one recorded', async () => {
  const task = await world.createTask();
  const given: unknown[] = [];
  const request: JobOrder['request'] = async ({ keys, record }) => {
    given.push(keys);
    await record(['inputs/1.png']);
    return { input: {} };
  };
  world.engine.submit = raise(new Error('engine down'));
  await world.attempt(task, { request });
  await world.attempt(task, { request });
  expect(given).toEqual([undefined, ['inputs/1.png']]);
});
