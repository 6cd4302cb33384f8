import { expect, test } from 'vitest';
import { notePollHint, pollHintMs, watchedPollMs } from '../../dashboard/api/poll-hints.ts';
import { pollMs } from '../../dashboard/pages/tasks/task-media.ts';
import { tasksContracts } from '../../shared/contracts/tasks.ts';

/** The query of a list of tasks, after a response with tasks of these statuses and a hint. */
function listed(limit: number, statuses: readonly ('processing' | 'completed')[], seconds: number) {
  const queryKey = ['listTasks', { query: { limit } }];
  const [example] = tasksContracts.listTasks.example.data.tasks;
  const tasks = statuses.map((status) => ({ ...example, status, results: [] }));
  notePollHint(queryKey, seconds);
  return { queryKey, state: { data: { tasks } } };
}

test('the dashboard polls a task again when the service asks it to, and keeps the hints of different queries apart', () => {
  notePollHint(['getTask', { params: { taskId: 'a' } }], 7);
  notePollHint(['getTask', { params: { taskId: 'b' } }], 30);
  notePollHint(['getTask', { params: { taskId: 'a' } }], 3);
  expect(pollHintMs({ queryKey: ['getTask', { params: { taskId: 'a' } }] })).toBe(3000);
  expect(pollHintMs({ queryKey: ['getTask', { params: { taskId: 'b' } }] })).toBe(30_000);
});

test('the dashboard reloads a task list when an open task may have ended, and otherwise often enough to notice new tasks', () => {
  expect(pollMs(listed(1, ['completed', 'processing'], 4))).toBe(4000);
  expect(pollMs(listed(2, ['processing'], 30))).toBe(10_000);
  expect(pollMs(listed(3, ['completed'], 4))).toBe(10_000);
});

test('a new task that a person watches is polled soon, and never later than the service asks', () => {
  const query = { queryKey: ['getTask', { params: { taskId: 'watched' } }] };
  notePollHint(query.queryKey, 11);
  const createdAt = '2026-11-26T12:00:00.000Z';
  const after = (seconds: number) => watchedPollMs(query, { createdAt }, Date.parse(createdAt) + 1000 * seconds);
  expect([-60, 0, 2, 20, 600].map(after)).toEqual([1000, 1000, 1000, 5000, 11_000]);
});
