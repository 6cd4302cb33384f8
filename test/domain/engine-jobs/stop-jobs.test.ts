/** Stopping the work on a failed task: who is woken and what is canceled. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { stopJobs } from '../../../shared/domain/engine-jobs/stop-jobs.ts';
import { type TestTable, testIds, testTable, testTime } from '../../support/test-table.ts';
import { done, jobAttempts } from './job-attempts.ts';

let host: TestTable;
let world: ReturnType<typeof jobAttempts>;
let taskId: string;

beforeAll(async () => {
  host = await testTable();
});
afterAll(() => host.close());
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

test('every unfinished job is stopped: who waits for it is woken, and its engine drops it', async () => {
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

test('a finished job is left alone', async () => {
  await Promise.all([waitFor('make'), accept('make'), finish('make')]);
  await stopJobs(world.needs, taskId, 'CANCELED');
  expect(world.asked).toEqual([]);
});

test('a job that finishes meanwhile keeps its outcome, and its execution receives it', async () => {
  await waitFor('make');
  const list: typeof world.needs.engineJobs.list = async (id) => {
    const jobs = await world.engineJobs.list(id);
    await finish('make');
    return jobs;
  };
  await stopJobs({ ...world.needs, engineJobs: { ...world.engineJobs, list } }, taskId, 'CANCELED');
  expect(world.asked).toEqual([['succeed', 'token of make', done]]);
});

test('nothing is canceled that its engine has lost, or whose engine is no longer there', async () => {
  await Promise.all([accept('lost'), accept('orphan', 'gone')]);
  await world.engineJobs.recordLoss({ taskId, name: 'lost' }, 'r-lost');
  await stopJobs(world.needs, taskId, 'CANCELED');
  expect(world.asked).toEqual([]);
  expect(world.warnings).toEqual([]);
});
