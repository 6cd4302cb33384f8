/** The service is killed while it tells an end, cancels or sweeps, and started again on what it left. */
import { test } from 'vitest';
import { runStep } from './run-step.ts';
import { webhookSteps } from './webhook-steps.ts';

test.for(webhookSteps.map((step) => [step.name, step] as const))(
  'a kill %s: the task ends, all credits are accounted for and the webhook comes',
  { timeout: 90_000 },
  ([, step]) => runStep(step),
);
