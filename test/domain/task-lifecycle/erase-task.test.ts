/** The erasure of what is stored for a deleted task. */
import { expect, test } from 'vitest';
import { type EraseNeeds, eraseTask } from '../../../shared/domain/task-lifecycle/erase-task.ts';
import { remainsOf } from '../../../shared/domain/tasks/deleted-task.ts';
import { aTask, testTime } from '../../support/test-table.ts';

test('an erasure is not recorded as done, and keeps the record of an incomplete copy, while the copy cannot be deleted', async () => {
  const done: string[] = [];
  const noting = (what: string) => async () => {
    done.push(what);
  };
  const needs = {
    clock: { now: () => testTime },
    deletedTasks: { recordErasure: noting('recorded') } as Partial<EraseNeeds['deletedTasks']>,
    engineJobs: { erase: noting('jobs') } as Partial<EraseNeeds['engineJobs']>,
    objectEraser: { erase: async (bucket) => noting(bucket)() } satisfies EraseNeeds['objectEraser'],
    work: {
      read: async () => 'upload',
      abort: () => Promise.reject(new Error('the storage does not respond')),
      delete: noting('copy'),
    } satisfies EraseNeeds['work'],
  } as EraseNeeds;
  const task = remainsOf(aTask({ status: 'completed' }), testTime);
  await expect(eraseTask(needs, task)).rejects.toThrow('the storage does not respond');
  expect(done.toSorted()).toEqual(['jobs', 'results']);
  await eraseTask({ ...needs, work: { ...needs.work, abort: noting('parts') } }, task);
  expect(done.slice(2).toSorted()).toEqual(['copy', 'inputs', 'jobs', 'parts', 'recorded', 'results']);
});
