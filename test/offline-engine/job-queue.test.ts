/** Which of the offline engine's jobs run at the same time. */
import { expect, test } from 'vitest';
import { isTooSlow } from '../../offline-engine/download.ts';
import { type Job, newJob } from '../../offline-engine/job.ts';
import { jobQueue } from '../../offline-engine/job-queue.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { testIds } from '../support/test-table.ts';

const jobOf = (id: string, isDownloading: boolean, group: string): Job =>
  newJob(testIds, { id, group, operation: 'any', input: {}, failure: 'none', callbackUrl: undefined, isDownloading });

const turn = () => new Promise(setImmediate);

/** A queue of jobs that end when they are told to, and of which each start is recorded. */
function queueInTest() {
  const started: string[] = [];
  const downloaded = new Map<Job, () => void>();
  const ends = new Map<Job, () => void>();
  const queue = jobQueue({
    clock: systemClock,
    slots: 2,
    downloads: 3,
    started: ({ id }) => started.push(id),
    perform: (job, { startWorking }) => {
      downloaded.set(job, () => void startWorking().then(() => started.push(`${job.id} works`)));
      return new Promise((resolve) => ends.set(job, () => resolve([])));
    },
  });
  const add = async (id: string, isDownloading: boolean, group = id): Promise<Job> => {
    const job = jobOf(id, isDownloading, group);
    queue.add(job);
    await turn();
    return job;
  };
  return { queue, add, started, downloaded, ends };
}

test('jobs that download do not keep jobs that work waiting, and no more than three download at once', async () => {
  const { add, started } = queueInTest();
  for (const id of ['d1', 'd2', 'd3', 'd4']) await add(id, true);
  for (const id of ['w1', 'w2', 'w3']) await add(id, false);
  expect(started).toEqual(['d1', 'd2', 'd3', 'w1', 'w2']);
});

test('the next job downloads once another has started to work on its file', async () => {
  const { add, ends, downloaded, started } = queueInTest();
  const first = await add('d1', true);
  for (const id of ['d2', 'd3', 'd4']) await add(id, true);
  downloaded.get(first)?.();
  await turn();
  expect(started).toEqual(['d1', 'd2', 'd3', 'd4', 'd1 works']);
  const working = await add('w1', false);
  await add('w2', false);
  expect(started.at(-1)).toBe('w1');
  ends.get(working)?.();
  await turn();
  expect(started.at(-1)).toBe('w2');
});

test('no more than two jobs work at once, and those that have downloaded wait in one line with the others', async () => {
  const { add, ends, downloaded, started } = queueInTest();
  const jobs: Job[] = [];
  for (let number = 1; number <= 4; number += 1) jobs.push(await add(`d${number}`, true));
  for (const job of jobs.slice(0, 3)) downloaded.get(job)?.();
  await add('w1', false);
  await turn();
  expect(started).toEqual(['d1', 'd2', 'd3', 'd4', 'd1 works', 'd2 works']);
  for (const [index, next] of ['d3 works', 'w1'].entries()) {
    for (const job of jobs.slice(index, index + 1)) ends.get(job)?.();
    await turn();
    expect(started.at(-1)).toBe(next);
  }
});

test('a canceled job that waits to work takes no place', async () => {
  const { queue, add, ends, downloaded, started } = queueInTest();
  const working = [await add('w1', false), await add('w2', false)];
  const canceled = await add('d1', true);
  downloaded.get(canceled)?.();
  await add('w3', false);
  queue.cancel(canceled);
  ends.get(canceled)?.();
  await turn();
  expect(started).toEqual(['w1', 'w2', 'd1', 'd1 works']);
  for (const job of working) ends.get(job)?.();
  await turn();
  expect(started.at(-1)).toBe('w3');
});

test('jobs of one group download at most two of three files at once, so that another group need not wait', async () => {
  const { add, started } = queueInTest();
  for (const id of ['a1', 'a2', 'a3']) await add(id, true, 'a');
  await add('b1', true, 'b');
  expect(started).toEqual(['a1', 'a2', 'b1']);
});

test('a server of a client is too slow below 64 KiB/s on average, after half a minute', () => {
  expect(isTooSlow(0, 30_000)).toBe(false);
  expect(isTooSlow(64 * 1024 * 31 - 1, 31_000)).toBe(true);
  expect(isTooSlow(64 * 1024 * 31, 31_000)).toBe(false);
});
