/** The stage that is deployed to an emulator, where it differs from that of `cdk.json`. */
import { expect, test } from 'vitest';
import { readStages } from '../../../infra/aws/stages.ts';
import { emulatedStage } from '../../../infra/emulator/emulated-stage.ts';
import { describedStages } from '../../../infra/emulator/run-cdk.ts';

const { dashboard, ...others } = emulatedStage();

const read = (stages: string) => readStages({ stage: 'local', stages })[0];

test('the described settings of an emulated stage are read back unchanged', () => {
  expect(read(describedStages(emulatedStage()))).toEqual(emulatedStage());
});

test('if an emulated stage has no dashboard, its checkouts return to a page of the sandbox', () => {
  const stage = read(describedStages(others));
  expect(stage).not.toHaveProperty('dashboard');
  expect(stage?.stripe?.returnUrl).toBe('http://127.0.0.1:4572/returned');
});

test('an emulated stage that names no engines gets no engines by default', () => {
  expect(read(describedStages({ ...others, ...(dashboard && { dashboard }), engines: {} }))).toEqual({
    ...emulatedStage(),
    engines: {},
  });
});
