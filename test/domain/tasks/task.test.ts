/** The properties that follow from a task's type, and the storage location of its files. */
import { expect, test } from 'vitest';
import { deadlineOf, inputKey, resultKey, transitionOn, transitions } from '../../../shared/domain/tasks/task.ts';

test('an accepted task shows as submitted if its operation has that status, and as processing otherwise', () => {
  expect(transitionOn('accepted', { showsSubmitted: true })).toBe(transitions.submitted);
  expect(transitionOn('accepted', {})).toBe(transitions.processing);
});

test('a task whose engine has started shows as processing for every operation', () => {
  expect(transitionOn('running', { showsSubmitted: true })).toBe(transitions.processing);
  expect(transitionOn('running', {})).toBe(transitions.processing);
});

test('a task’s deadline is its creation time plus the time limit', () => {
  expect(deadlineOf({ timeLimitSeconds: 7 }, 5)).toBe(5 + 7000);
});

test('copies of inputs are stored by task and position, and results at an address that contains the task’s secret', () => {
  const task = { taskId: 'a-task', resultsSecret: 'a-secret' };
  expect(inputKey(task, 2, 'png')).toBe('inputs/a-task/2.png');
  expect(resultKey(task, { position: 1, attempt: 'b' }, 'mp4')).toBe('results/a-task-a-secret/1-b.mp4');
});
