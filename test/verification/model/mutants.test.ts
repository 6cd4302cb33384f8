/** The model is known to see: each planted bug breaks a promise within a short run, and the promise that it should. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { modelProperty } from './model-property.ts';
import { mutants } from './mutants.ts';
import { type Bench, startBench } from './world.ts';

let bench: Bench;

beforeAll(async () => {
  bench = await startBench();
});
afterAll(() => bench.close());

const caughtBy: Readonly<Record<keyof typeof mutants, RegExp>> = {
  'a task is ended whatever its state': /refunded once|terminal task never changes|posted/,
  'the debit takes no slot': /slots are the open tasks/,
  'the key is kept after the transaction':
    /a key makes one task|kept under it|one key has one answer|no more tasks appear/,
  'a claim of an attempt is not honoured':
    /no attempt is posted twice|three times at most|more posts than are owed|settled webhook stays/,
  'a task is moved on whatever its state':
    /terminal task never changes|never goes back|refunded once if it failed|slots are the open tasks/,
  'the limit is read and not held': /no 60 seconds hold more|limit refuses what is beyond|room for/,
  'a redelivery begins where the first series began': /redelivery is on record|was accepted|given up after three/,
};

const names = Object.keys(mutants) as (keyof typeof mutants)[];

/** A fixed seed: a bug is caught in the same run every time. */
const found = (mutant: keyof typeof mutants) =>
  fc.check(modelProperty(bench, { withFaults: false, maxCommands: 40, mutate: mutants[mutant] }), {
    seed: Number(process.env.MODEL_SEED ?? 1),
    numRuns: 20,
    endOnFailure: true,
  });

test.for(names)('a bug that is planted is caught: %s', { timeout: 120_000 }, async (mutant) => {
  const { failed, errorInstance } = await found(mutant);
  expect(failed).toBe(true);
  expect(String(errorInstance)).toMatch(caughtBy[mutant]);
});
