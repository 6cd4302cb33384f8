/** The service is killed at each step of a task and of its webhook, and restarted with the data that it left. */
import { afterAll, describe, test } from 'vitest';
import { groupsOf, stepRunner } from './run-steps.ts';
import { taskSteps } from './task-steps.ts';
import { webhookSteps } from './webhook-steps.ts';

const groups = groupsOf([...taskSteps, ...webhookSteps]);
const runner = stepRunner(groups);

afterAll(() => runner.close());

describe('a task ends with exact credits and a delivered webhook even if the process is killed', () => {
  test.for(groups.flat().map((step) => [step.name, step] as const))('%s', ([, step]) => runner.run(step));
});
