/** The service is killed at each step of a task and of its webhook, and restarted with the data that it left. */
import { afterAll, test } from 'vitest';
import { groupsOf, stepRunner } from './run-steps.ts';
import { taskSteps } from './task-steps.ts';
import { webhookSteps } from './webhook-steps.ts';

const groups = groupsOf([...taskSteps, ...webhookSteps]);
const runner = stepRunner(groups);

afterAll(() => runner.close());

test.for(groups.flat().map((step) => [step.name, step] as const))(
  'after the process is killed %s, the task ends, every credit is accounted for and the webhook is delivered',
  ([, step]) => runner.run(step),
);
