/** The service is killed at each step of a task from its creation to its end, and restarted on the data it left. */
import { afterAll, test } from 'vitest';
import { stepRunner } from './run-step.ts';
import { taskSteps } from './task-steps.ts';

const runner = stepRunner();

afterAll(() => runner.close());

test.for(taskSteps.map((step) => [step.name, step] as const))(
  'after a kill %s, the task ends, every credit is accounted for and the webhook is delivered',
  ([, step]) => runner.run(step),
);
