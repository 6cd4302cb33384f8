/** Which of the offline engine's jobs run at the same time. */
import { expect, test } from 'vitest';
import { isTooSlow } from '../../offline-engine/download.ts';
import { type Job, newJob } from '../../offline-engine/job.ts';
import { jobQueue } from '../../offline-engine/job-queue.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { testIds } from '../support/test-table.ts';

const jobOf = (id: string, isDownloading: boolean): Job =>
  newJob(testIds, { id, operation: 'any', input: {}, failure: 'none', callbackUrl: undefined, isDownloading });

/** A queue of jobs that end when they are told to, and of which each start is recorded. */
function queueInTest() {
  const started: string[] = [];
  const reports = new Map<Job, (percent: number) => void>();
  const ends = new Map<Job, () => void>();
  const queue = jobQueue({
    clock: systemClock,
    slots: 2,
    downloads: 3,
    started: ({ id }) => started.push(id),
    perform: (job, progress) => {
      reports.set(job, progress);
      return new Promise((resolve) => ends.set(job, () => resolve([])));
    },
  });
  const add = async (id: string, isDownloading: boolean): Promise<Job> => {
    const job = jobOf(id, isDownloading);
    queue.add(job);
    await new Promise(setImmediate);
    return job;
  };
  return { add, started, reports, ends };
}

test('jobs that download do not keep jobs that work waiting, and no more than three download at once', async () => {
  const { add, started } = queueInTest();
  for (const id of ['d1', 'd2', 'd3', 'd4']) await add(id, true);
  for (const id of ['w1', 'w2', 'w3']) await add(id, false);
  expect(started).toEqual(['d1', 'd2', 'd3', 'w1', 'w2']);
});

test('the next job downloads once another has downloaded its file, and works on it', async () => {
  const { add, ends, reports, started } = queueInTest();
  const first = await add('d1', true);
  for (const id of ['d2', 'd3', 'd4']) await add(id, true);
  first.isDownloading = false;
  reports.get(first)?.(10);
  expect(started).toEqual(['d1', 'd2', 'd3', 'd4']);
  const working = await add('w1', false);
  await add('w2', false);
  expect(started.at(-1)).toBe('w1');
  ends.get(working)?.();
  await new Promise(setImmediate);
  expect(started.at(-1)).toBe('w2');
});

test('while two jobs work that have downloaded their files, no further job starts, so that few work at once', async () => {
  const { add, reports, started } = queueInTest();
  const jobs: Job[] = [];
  for (let number = 1; number <= 20; number += 1) jobs.push(await add(`d${number}`, true));
  for (const job of jobs) {
    job.isDownloading = false;
    reports.get(job)?.(10);
  }
  expect(started).toEqual(['d1', 'd2', 'd3', 'd4']);
});

test('a server of a client is too slow below 64 KiB/s on average, after half a minute', () => {
  expect(isTooSlow(0, 30_000)).toBe(false);
  expect(isTooSlow(64 * 1024 * 31 - 1, 31_000)).toBe(true);
  expect(isTooSlow(64 * 1024 * 31, 31_000)).toBe(false);
});
