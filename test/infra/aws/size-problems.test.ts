/** A function's bundle must not grow beyond its recorded size, and the record must follow when it shrinks. */
import { expect, test } from 'vitest';
import { sizeProblems, toleratedBytes } from '../../../infra/aws/bundle-sizes/size-problems.ts';

const recorded = { getTask: 300_000, listTasks: 310_000 };

test('the bundle check accepts sizes within the tolerance of the recorded ones', () => {
  const actual = { getTask: 300_000 + toleratedBytes, listTasks: 310_000 - toleratedBytes };
  expect(sizeProblems(recorded, actual)).toEqual([]);
});

test('the bundle check names a bundle that grew, and both ways to resolve the problem', () => {
  const [problem = '', ...others] = sizeProblems(recorded, { ...recorded, getTask: 300_001 + toleratedBytes });
  expect(others).toEqual([]);
  expect(problem).toMatch(/^getTask grew from 300000 to 301025 bytes: .*"npm run bundle-sizes"/);
});

test('the bundle check requests an update of the recorded sizes when a bundle shrank, appeared or disappeared', () => {
  const shrunk = { getTask: 299_999 - toleratedBytes, listPlans: 1 };
  expect(sizeProblems(recorded, shrunk)).toEqual([
    'getTask shrank from 300000 to 298975 bytes: run "npm run bundle-sizes".',
    'listPlans is not recorded: run "npm run bundle-sizes".',
    'listTasks no longer exists: run "npm run bundle-sizes".',
  ]);
});
