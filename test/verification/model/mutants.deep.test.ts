/** The model detects bugs: each planted one breaks the expected invariant within a short run. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mutants } from '../faults/table-mutants.ts';
import { type Bench, startBench } from '../world/world.ts';
import { type ModelOptions, modelProperty } from './model-property.ts';

let bench: Bench;

beforeAll(async () => {
  bench = await startBench();
});
afterAll(() => bench.close());

interface Caught {
  readonly mix?: ModelOptions['mix'];
  readonly seed: number;
  readonly breaks: RegExp;
}

/** The promises that a bug breaks, and a seed whose first run shows it. */
const caughtBy: Readonly<Record<keyof typeof mutants, Caught>> = {
  'a task can end twice': { seed: 10, breaks: /refunded once|terminal task never changes|posted/ },
  'the debit takes no slot': { seed: 3, breaks: /slots are the open tasks/ },
  'the key is stored after the transaction': {
    seed: 4,
    breaks: /a key makes one task|kept under it|one key has one response|no more tasks appear|gets the first response/,
  },
  'a file that is used still expires': { mix: 'studio', seed: 1, breaks: /expires after seven days/ },
  'the claim of an attempt is ignored': {
    seed: 4,
    breaks: /no attempt is posted twice|three times at most|more posts than are owed|settled webhook stays/,
  },
  'a task can move from any state': {
    seed: 5,
    breaks: /terminal task never changes|never goes back|refunded once if it failed|slots are the open tasks/,
  },
  'the request limit is not enforced': {
    seed: 4,
    breaks: /no 60 seconds hold more|limit rejects what is beyond|room for/,
  },
  'a redelivery restarts at the first attempt': {
    seed: 4,
    breaks: /redelivery is on record|was accepted|given up after three/,
  },
};

const names = Object.keys(mutants) as (keyof typeof mutants)[];

/** A seed finds a bug in the same run every time; a change of the commands may move it to a later one. */
const found = (mutant: keyof typeof mutants) => {
  const { mix = 'tasks', seed } = caughtBy[mutant];
  const property = modelProperty(bench, { mix, withFaults: false, maxCommands: 40, mutate: mutants[mutant] });
  return fc.check(property, { seed: Number(process.env.MODEL_SEED ?? seed), numRuns: 40, endOnFailure: true });
};

test.for(names)('the reference model detects the planted bug that %s', async (mutant) => {
  const { failed, errorInstance } = await found(mutant);
  expect(failed).toBe(true);
  expect(String(errorInstance)).toMatch(caughtBy[mutant].breaks);
});
