/** The service compared with its reference model: random sequences of commands, without faults and with them. */
import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { modelRuns } from '../../support/model-runs.ts';
import { startBench } from '../world/world.ts';
import { modelProperty } from './model-property.ts';

type Runs = ReturnType<typeof modelRuns>;

const [runsWithoutFaults, runsWithFaults] = [modelRuns(3), modelRuns(5)];
const maxCommands = 50;

const bench = await startBench();

afterAll(async () => {
  const { faults, events, ...tally } = bench.tally;
  const summary = { ...tally, faults: Object.fromEntries(faults), events: Object.fromEntries(events) };
  if (process.env.MODEL_RUNS) process.stdout.write(`${JSON.stringify(summary)}\n`);
  await bench.close();
});

/**
 * The time limit is long enough for shrinking a failure on any machine; the test's own timeout is later, so that the
 * failure is reported.
 */
const limitMs = (numRuns: number): number => 300_000 + numRuns * 30_000;
const patient = ({ numRuns }: Runs) => ({ timeout: limitMs(numRuns) + 30_000 });

const assertModel = (runs: Runs, withFaults: boolean): Promise<void> =>
  fc.assert(modelProperty(bench, { withFaults, maxCommands }), {
    ...runs,
    interruptAfterTimeLimit: limitMs(runs.numRuns),
    markInterruptAsFailure: true,
  });

test(
  'the service does what a reference model predicts for every sequence of commands',
  patient(runsWithoutFaults),
  async () => {
    await assertModel(runsWithoutFaults, false);
    expect(bench.tally.steps).toBeGreaterThan(0);
  },
);

test(
  'the service does what a reference model predicts even if AWS calls are reset, lost, in conflict, throttled or late',
  patient(runsWithFaults),
  async () => {
    await assertModel(runsWithFaults, true);
    expect(bench.tally.faults.size).toBeGreaterThan(0);
  },
);
