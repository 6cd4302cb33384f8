import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isCurrent, isGivenUp, resubmissionLimit } from '../../../shared/domain/engine-jobs/engine-job.ts';

const about = (reported: string) => (reference: string) => reference === reported;

test('an engine’s report is applied only if it names the accepted job or, while no job is accepted, one that is not recorded as lost', () => {
  const references = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 });
  fc.assert(
    fc.property(references, fc.constantFrom('a', 'b', 'c'), (lostReferences, reported) => {
      expect(isCurrent({ reference: 'a', lostReferences }, about(reported))).toBe(reported === 'a');
      expect(isCurrent({ lostReferences }, about(reported))).toBe(!lostReferences.includes(reported));
      expect(isCurrent({}, about(reported))).toBe(true);
      expect(isCurrent({}, () => true)).toBe(true);
    }),
  );
});

test('an engine job is submitted at most three times', () => {
  const afterLosses = (losses: number) => isGivenUp({ lostReferences: Array.from({ length: losses }, String) });
  expect(resubmissionLimit).toBe(2);
  expect([isGivenUp({}), ...[1, 2, 3, 4].map(afterLosses)]).toEqual([false, false, false, true, true]);
});
