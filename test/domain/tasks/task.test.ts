/** What a task's type decides about it, and where its files are stored. */
import { expect, test } from 'vitest';
import { deadlineOf, inputKey, resultKey, transitionOn, transitions } from '../../../shared/domain/tasks/task.ts';

test('an engine’s acceptance shows as submitted where the operation says so, and as processing elsewhere', () => {
  expect(transitionOn('accepted', 'video-creative')).toBe(transitions.submitted);
  expect(transitionOn('accepted', 'voice')).toBe(transitions.processing);
});

test('an engine’s start shows as processing everywhere', () => {
  expect(transitionOn('running', 'video-creative')).toBe(transitions.processing);
  expect(transitionOn('running', 'voice')).toBe(transitions.processing);
});

test('the deadline is the time limit of the type after the creation, or a limit of the task’s own', () => {
  expect(deadlineOf('voice', 5)).toBe(5 + 10 * 60_000);
  expect(deadlineOf('video-creative', 5)).toBe(5 + 30 * 60_000);
  expect(deadlineOf('voice', 5, 7)).toBe(5 + 7000);
});

test('files are stored by task and position, results at an address that needs the task’s secret', () => {
  const task = { taskId: 'a-task', resultsSecret: 'a-secret' };
  expect(inputKey(task, 2, 'png')).toBe('inputs/a-task/2.png');
  expect(resultKey(task, 1, 'mp4')).toBe('results/a-task-a-secret/1.mp4');
});
