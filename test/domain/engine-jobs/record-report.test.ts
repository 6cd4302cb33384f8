import { expect, test } from 'vitest';
import { recordProgress, recordStart } from '../../../shared/domain/engine-jobs/record-report.ts';
import { aTask } from '../../support/test-table.ts';

test('a video task that its workflow starts itself has the status submitted before processing', async () => {
  const statuses: string[] = [];
  const tasks = { advance: async (_task: object, { to }: { to: string }) => void statuses.push(to) };
  const needs = { tasks, clock: { now: () => 0 } } as never;
  const task = aTask({ taskType: 'cortes', status: 'pending' });
  await recordStart(needs, task);
  await recordProgress(needs, task, 'make', { status: 'running', progress: 0 });
  expect(statuses).toEqual(['submitted', 'processing']);
});
