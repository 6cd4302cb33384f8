/** The service is killed on the way of a task from its creation to its end, and started again on what it left. */
import { afterAll, test } from 'vitest';
import { stepRunner } from './run-step.ts';
import { taskSteps } from './task-steps.ts';

const runner = stepRunner();

afterAll(() => runner.close());

test.for(taskSteps.map((step) => [step.name, step] as const))(
  'a kill %s: the task ends, all credits are accounted for and the webhook comes',
  ([, step]) => runner.run(step),
);
