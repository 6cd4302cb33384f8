/** The service compared with its reference model: random sequences of commands, without faults and with them. */
import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { startBench } from '../world/world.ts';
import { modelProperty } from './model-property.ts';

/** `MODEL_RUNS` sets the number of runs, and `MODEL_SEED` repeats a failure. */
const { MODEL_RUNS, MODEL_SEED } = process.env;
const runs = (few: number): number => Number(MODEL_RUNS ?? few);
const seeded = MODEL_SEED === undefined ? {} : { seed: Number(MODEL_SEED) };
const maxCommands = 50;

const bench = await startBench();

afterAll(async () => {
  const { faults, events, ...tally } = bench.tally;
  const summary = { ...tally, faults: Object.fromEntries(faults), events: Object.fromEntries(events) };
  if (MODEL_RUNS) process.stdout.write(`${JSON.stringify(summary)}\n`);
  await bench.close();
});

/**
 * The time limit is long enough for shrinking a failure on any machine; the test's own timeout is later, so that the
 * failure is reported.
 */
const limitMs = (numRuns: number): number => 300_000 + numRuns * 30_000;
const patient = (numRuns: number) => ({ timeout: limitMs(numRuns) + 30_000 });

const assertModel = (numRuns: number, withFaults: boolean): Promise<void> =>
  fc.assert(modelProperty(bench, { withFaults, maxCommands }), {
    numRuns,
    ...seeded,
    interruptAfterTimeLimit: limitMs(numRuns),
    markInterruptAsFailure: true,
  });

test('the service matches the reference model for every sequence of commands', patient(runs(3)), async () => {
  await assertModel(runs(3), false);
  expect(bench.tally.steps).toBeGreaterThan(0);
});

test(
  'the service matches the reference model even if AWS calls are reset, lost, in conflict, throttled or late',
  patient(runs(5)),
  async () => {
    await assertModel(runs(5), true);
    expect(bench.tally.faults.size).toBeGreaterThan(0);
  },
);
