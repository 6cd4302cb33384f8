/** The stacks that are deployed to an emulator without CloudFront, and so without a dashboard. */
import { expect, test } from 'vitest';
import { readStages } from '../../../infra/aws/stages.ts';
import { emulatedStage } from '../../../infra/emulator/emulated-stage.ts';
import { withoutDashboard } from '../../../infra/emulator/run-cdk.ts';

test('checkouts of an emulated stage without a dashboard return to the sandbox', () => {
  const [stage] = readStages({ stage: 'local', stages: withoutDashboard(emulatedStage()) });
  expect(stage).not.toHaveProperty('dashboard');
  expect(stage?.stripe?.returnUrl).toBe('http://127.0.0.1:4572/returned');
});
