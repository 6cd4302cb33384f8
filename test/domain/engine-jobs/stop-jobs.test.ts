/** Stopping the work on a failed task: which executions are resumed and which jobs are canceled. */
import { beforeEach, expect, test } from 'vitest';
import { stopJobs } from '../../../shared/domain/engine-jobs/stop-jobs.ts';
import { tableInTests, testIds, testTime } from '../../support/test-table.ts';
import { done, jobAttempts } from './job-attempts.ts';

let world: ReturnType<typeof jobAttempts>;
let taskId: string;

const host = await tableInTests();
beforeEach(() => {
  world = jobAttempts(host);
  taskId = testIds.next();
});

const canceled = { status: 'failed', code: 'CANCELED' } as const;

const waitFor = (name: string) => world.engineJobs.recordToken({ taskId, name }, `token of ${name}`, testTime);

const accept = (name: string, engine = 'offline') => {
  const agreed = { completion: 'callback', deadlineAt: testTime } as const;
  return world.engineJobs.recordAcceptance({ taskId, name }, { engine, reference: `r-${name}`, ...agreed });
};

const finish = (name: string) => world.engineJobs.recordOutcome({ taskId, name }, done, testTime);

test('stopping the jobs of a task wakes the waiting executions and cancels every unfinished job at its engine', async () => {
  await Promise.all([waitFor('make'), accept('make'), waitFor('waiting'), accept('unattended')]);
  await stopJobs(world.needs, taskId, 'CANCELED');
  const expected = [
    ['cancel', 'r-make'],
    ['cancel', 'r-unattended'],
    ['succeed', 'token of make', canceled],
    ['succeed', 'token of waiting', canceled],
  ];
  expect(world.asked).toHaveLength(expected.length);
  expect(world.asked).toEqual(expect.arrayContaining(expected));
  expect((await world.engineJobs.list(taskId)).map(({ outcome }) => outcome)).toEqual([canceled, canceled, canceled]);
});

test('stopping the jobs of a task does not change a finished job', async () => {
  await Promise.all([waitFor('make'), accept('make'), finish('make')]);
  await stopJobs(world.needs, taskId, 'CANCELED');
  expect(world.asked).toEqual([]);
});

test('a job that finishes while it is being stopped keeps its outcome, which its execution receives', async () => {
  await waitFor('make');
  const list: typeof world.needs.engineJobs.list = async (id) => {
    const jobs = await world.engineJobs.list(id);
    await finish('make');
    return jobs;
  };
  await stopJobs({ ...world.needs, engineJobs: { ...world.engineJobs, list } }, taskId, 'CANCELED');
  expect(world.asked).toEqual([['succeed', 'token of make', done]]);
});

test('stopping the jobs of a task does not cancel a job that its engine lost or whose engine is not configured', async () => {
  await Promise.all([accept('lost'), accept('orphan', 'gone')]);
  await world.engineJobs.recordLoss({ taskId, name: 'lost' }, 'r-lost');
  await stopJobs(world.needs, taskId, 'CANCELED');
  expect(world.asked).toEqual([]);
  expect(world.warnings).toEqual([]);
});
