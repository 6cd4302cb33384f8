/** Concurrent operations of one account, with their requests to table, queue, workflow and engine in every order. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bench, startBench } from '../world/world.ts';
import { interleavingsProperty, type Tally } from './interleavings-property.ts';

/** `INTERLEAVINGS` makes the runs many, `INTERLEAVINGS_SEED` repeats those of a failure. */
const { INTERLEAVINGS, INTERLEAVINGS_SEED } = process.env;
const numRuns = Number(INTERLEAVINGS ?? 20);
const seeded = INTERLEAVINGS_SEED === undefined ? {} : { seed: Number(INTERLEAVINGS_SEED) };

const tally: Tally = { runs: 0, operations: 0, steps: 0, picks: 0, events: new Map() };
let bench: Bench;

beforeAll(async () => {
  bench = await startBench({ faults: false });
});

afterAll(async () => {
  const summary = { ...tally, events: Object.fromEntries(tally.events) };
  if (INTERLEAVINGS) process.stdout.write(`${JSON.stringify(summary)}\n`);
  await bench.close();
});

/** Long enough to shrink a failure, and for any machine; the test's own timeout is later, so that the failure is reported. */
const limitMs = (runs: number): number => 300_000 + runs * 5000;

const mixes = [
  ['tasks', numRuns],
  ['studio', Number(INTERLEAVINGS ?? 8)],
] as const;

test.for(mixes)(
  'invariants hold in every order of the requests of concurrent operations on %s',
  { timeout: limitMs(numRuns) + 30_000 },
  async ([mix, runs]) => {
    await fc.assert(interleavingsProperty(bench, tally, { mix }), {
      numRuns: runs,
      ...seeded,
      interruptAfterTimeLimit: limitMs(runs),
      markInterruptAsFailure: true,
    });
    expect(tally.picks).toBeGreaterThan(tally.operations);
  },
);
