/** The orders are tried: each planted bug is harmless in most orders, and breaks an invariant in one. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bench, startBench } from '../world/world.ts';
import { type InterleavingsOptions, interleavingsProperty, newTally } from './interleavings-property.ts';
import { mutants } from './mutants.ts';

let bench: Bench;

beforeAll(async () => {
  bench = await startBench({ faults: false });
});
afterAll(() => bench.close());

interface Caught {
  readonly mix?: InterleavingsOptions['mix'];
  readonly seed: number;
  readonly breaks: RegExp;
}

/** The promises that a bug breaks, and a seed that comes upon it soon: in the same order every time. */
const caughtBy: Readonly<Record<keyof typeof mutants, Caught>> = {
  'a task can end twice': {
    seed: 13,
    breaks: /refunded once|terminal task never changes|canceled once|what was over/,
  },
  'the key is stored after the transaction': {
    seed: 12,
    breaks: /a key makes one task|kept under it|kept for their key/,
  },
  'a task can move from any state': {
    seed: 5,
    breaks: /terminal task never changes|never goes back|refunded once|slots are the open/,
  },
  'balance and slots are checked before the debit': {
    seed: 1,
    breaks: /never negative|no more tasks are open|every response is correct/,
  },
  'the outcome is checked before it is stored': {
    seed: 17,
    breaks: /first outcome stands|job of a canceled task|a waiting execution receives/,
  },
  'a stored outcome is invisible to later steps': {
    seed: 1,
    breaks: /a waiting execution receives|job of a canceled task/,
  },
  'an accepted video goes back to submitted': {
    mix: 'filming',
    seed: 2,
    breaks: /never goes back|never changes|refunded once if it failed|slots are the open/,
  },
  'an origin is looked up before it is reserved': { mix: 'portraying', seed: 4, breaks: /an origin/ },
  'a file is kept even if it has expired or been replaced': {
    mix: 'sharing',
    seed: 3,
    breaks: /image of a file that is used never changes|file of an image is kept|file is stored completely/,
  },
  'the owner of a claim is not checked': {
    mix: 'repeating',
    seed: 1,
    breaks: /one key has one response|first response|nobody’s twice/,
  },
};

const names = Object.keys(mutants) as (keyof typeof mutants)[];

test.for(names)('the interleavings detect the planted bug that %s in at least one order', async (mutant) => {
  const { mix = 'tasks', seed, breaks } = caughtBy[mutant];
  const property = interleavingsProperty(bench, newTally(), { mix, mutate: mutants[mutant] });
  const { failed, errorInstance } = await fc.check(property, { seed, numRuns: 400, endOnFailure: true });
  expect(failed).toBe(true);
  expect(String(errorInstance)).toMatch(breaks);
});
