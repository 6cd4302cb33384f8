import { expect, test } from 'vitest';
import { taskRequester } from '../../shared/contracts/task-requester.ts';

test.each([
  ['owner', 'its owner, in the dashboard'],
  ['closing', 'the closing of its account'],
  ['0193', 'token server 0193'],
])('operators read of a task created or canceled by %s that it was %s', (by, text) => {
  expect(taskRequester(by, 'server')).toBe(text);
});
