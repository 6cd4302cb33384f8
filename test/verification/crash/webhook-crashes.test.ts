/** The service is killed while it delivers, cancels or sweeps, and restarted on the data it left. */
import { afterAll, test } from 'vitest';
import { stepRunner } from './run-step.ts';
import { webhookSteps } from './webhook-steps.ts';

const runner = stepRunner();

afterAll(() => runner.close());

test.for(webhookSteps.map((step) => [step.name, step] as const))(
  'after a kill %s, the task ends, every credit is accounted for and the webhook is delivered',
  ([, step]) => runner.run(step),
);
