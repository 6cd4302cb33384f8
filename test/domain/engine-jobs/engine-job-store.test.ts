/** Storing an engine job on the real table, in whose row a task token and an outcome meet. */
import { beforeEach, expect, test } from 'vitest';
import type { JobId } from '../../../shared/domain/engine-jobs/engine-job.ts';
import { engineJobStore } from '../../../shared/domain/engine-jobs/engine-job-store.ts';
import { jobKey } from '../../../shared/domain/keys.ts';
import { insertTask } from '../../../shared/domain/tasks/task-item.ts';
import type { Table } from '../../../shared/platform/dynamo-table.ts';
import { aTask, tableInTests, testIds, testTime } from '../../support/test-table.ts';
import { done } from './job-attempts.ts';

let job: JobId;

const host = await tableInTests();
const store = engineJobStore(host.table);
beforeEach(() => {
  job = { taskId: testIds.next(), name: 'make' };
});

const acceptance = {
  engine: 'offline',
  reference: 'r-1',
  completion: 'callback',
  deadlineAt: testTime + 60_000,
} as const;
const failed = { status: 'failed', code: 'CONTENT_REJECTED' } as const;
const hourMs = 3_600_000;
const weekSeconds = 7 * 24 * 3600;

const expiry = async () => (await host.table.get(jobKey(job.taskId, job.name)))?.expiresAt;

test('an engine job keeps its start, latest task token, acceptance, first outcome and cost, in any order of recording', async () => {
  expect(await store.recordOutcome(job, failed, testTime, 40)).toStrictEqual({ outcome: failed, costMicros: 40 });
  await store.recordToken(job, 'earlier', testTime);
  await store.recordToken(job, 'later', testTime + hourMs);
  await store.recordAcceptance(job, acceptance);
  const whole = { ...acceptance, begunAt: testTime, token: 'later', outcome: failed, costMicros: 40 };
  expect(await store.recordOutcome(job, done, testTime, 50)).toStrictEqual(whole);
  expect(await store.find(job)).toStrictEqual(whole);
  const polled = await store.recordAcceptance({ ...job, name: 'cut-01' }, { ...acceptance, completion: 'polling' });
  expect(polled).toStrictEqual({ ...acceptance, completion: 'polling' });
});

test('an engine job keeps its first acceptance until the engine has lost it, and only the current reference can be recorded as lost', async () => {
  await store.recordAcceptance(job, acceptance);
  expect(await store.recordAcceptance(job, { ...acceptance, reference: 'r-2' })).toStrictEqual(acceptance);
  expect(await store.recordLoss(job, 'r-2')).toBeUndefined();
  expect(await store.find(job)).toStrictEqual(acceptance);
  expect(await store.recordLoss(job, 'r-1')).toMatchObject({ lostReferences: ['r-1'] });
  expect(await store.recordLoss(job, 'r-1')).toBeUndefined();
});

test('one of the outcomes recorded concurrently for an engine job is kept, and every recording returns that outcome', async () => {
  // The first recordings open connections, so that those of the next jobs overlap.
  for (const name of ['cut-01', 'cut-02', 'cut-03']) {
    const one = { ...job, name };
    const recorded = await Promise.all(
      Array.from({ length: 10 }, (_, index) => store.recordOutcome(one, index % 2 === 0 ? done : failed, testTime)),
    );
    const { outcome } = await store.find(one);
    expect(outcome).toBeDefined();
    expect(recorded.map((row) => row.outcome)).toStrictEqual(Array(10).fill(outcome));
  }
});

test('an engine job stores the keys of its input copies', async () => {
  await store.recordInputs(job, ['inputs/1.png', 'inputs/2.png']);
  expect(await store.find(job)).toStrictEqual({ inputKeys: ['inputs/1.png', 'inputs/2.png'] });
});

test('recording an engine job throws when the table does not respond', async () => {
  const failure = new Error('no response');
  const cut = engineJobStore({ ...host.table, update: () => Promise.reject(failure) });
  await expect(cut.recordAcceptance(job, acceptance)).rejects.toBe(failure);
  await expect(cut.recordLoss(job, 'r-1')).rejects.toBe(failure);
});

test('an engine job that was lost has no current reference, but keeps its lost references and its first deadline', async () => {
  await store.recordAcceptance(job, acceptance);
  await store.recordLoss(job, 'r-1');
  const { reference: _lost, ...agreed } = acceptance;
  expect(await store.find(job)).toStrictEqual({ ...agreed, lostReferences: ['r-1'] });
  const again = { engine: 'fal', reference: 'r-2', completion: 'polling' } as const;
  await store.recordAcceptance(job, { ...again, deadlineAt: testTime + hourMs });
  await store.recordLoss(job, 'r-2');
  const { reference: _alsoLost, ...latest } = again;
  const { deadlineAt } = acceptance;
  expect(await store.find(job)).toStrictEqual({ ...latest, deadlineAt, lostReferences: ['r-1', 'r-2'] });
});

test('an engine job’s row expires a week after its latest task token, or after its outcome if no execution is waiting', async () => {
  await store.recordOutcome(job, done, testTime);
  expect(await expiry()).toBe(testTime / 1000 + weekSeconds);
  await store.recordOutcome(job, done, testTime + hourMs);
  expect(await expiry()).toBe(testTime / 1000 + weekSeconds);
  await store.recordToken(job, 'a token', testTime + hourMs + 999);
  expect(await expiry()).toBe(testTime / 1000 + 3600 + weekSeconds);
});

test('the jobs of a task are listed by name with a consistent read, without other rows of the task', async () => {
  const task = aTask({ taskId: job.taskId });
  await host.table.transact([insertTask(task, testTime)]);
  for (const name of ['make', 'cut-02', 'cut-01']) await store.recordToken({ ...job, name }, name, testTime);
  await store.recordToken({ taskId: testIds.next(), name: 'make' }, 'another task', testTime);
  const { taskId } = job;
  const reads: unknown[] = [];
  const walk: Table['walk'] = (query) => {
    reads.push(query.ConsistentRead);
    return host.table.walk(query);
  };
  expect(await engineJobStore({ ...host.table, walk }).list(taskId)).toStrictEqual([
    { taskId, name: 'cut-01', begunAt: testTime, token: 'cut-01' },
    { taskId, name: 'cut-02', begunAt: testTime, token: 'cut-02' },
    { taskId, name: 'make', begunAt: testTime, token: 'make' },
  ]);
  expect(reads).toEqual([true]);
});

test('an engine job without a row is read as empty', async () => {
  expect(await store.find(job)).toStrictEqual({});
});
