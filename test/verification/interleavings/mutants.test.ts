/** The orders are known to be tried: each planted bug, harmless in most of them, breaks a promise in one. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bench, startBench } from '../model/world.ts';
import { interleavingsProperty, newTally } from './interleavings-property.ts';
import { mutants } from './mutants.ts';

let bench: Bench;

beforeAll(async () => {
  bench = await startBench({ faults: false });
});
afterAll(() => bench.close());

/** The promises that a bug breaks, and a seed that comes upon it soon: in the same order every time. */
const caughtBy: Readonly<Record<keyof typeof mutants, { readonly seed: number; readonly breaks: RegExp }>> = {
  'a task is ended whatever its state': {
    seed: 1,
    breaks: /refunded once|terminal task never changes|canceled once|what was over/,
  },
  'the key is kept after the transaction': {
    seed: 10,
    breaks: /a key makes one task|kept under it|kept for their key/,
  },
  'a task is moved on whatever its state': {
    seed: 5,
    breaks: /terminal task never changes|never goes back|refunded once|slots are the open/,
  },
  'what an account has is looked at before it is taken': {
    seed: 1,
    breaks: /never negative|no more tasks are open|every answer fits/,
  },
  'whether there is an outcome is looked at before it is kept': {
    seed: 17,
    breaks: /first outcome stands|job of a canceled task|who waits is told/,
  },
  'an outcome is not seen by who comes after it': { seed: 1, breaks: /who waits is told|job of a canceled task/ },
};

const names = Object.keys(mutants) as (keyof typeof mutants)[];

test.for(names)('a bug that only some orders show is caught: %s', { timeout: 180_000 }, async (mutant) => {
  const { seed, breaks } = caughtBy[mutant];
  const property = interleavingsProperty(bench, newTally(), mutants[mutant]);
  const { failed, errorInstance } = await fc.check(property, { seed, numRuns: 400, endOnFailure: true });
  expect(failed).toBe(true);
  expect(String(errorInstance)).toMatch(breaks);
});
