/** The service is killed while it tells an end, cancels or sweeps, and started again on what it left. */
import { afterAll, test } from 'vitest';
import { stepRunner } from './run-step.ts';
import { webhookSteps } from './webhook-steps.ts';

const runner = stepRunner();

afterAll(() => runner.close());

test.for(webhookSteps.map((step) => [step.name, step] as const))(
  'a kill %s: the task ends, all credits are accounted for and the webhook comes',
  ([, step]) => runner.run(step),
);
