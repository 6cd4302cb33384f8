/** A claimed time is accepted only if it is between 2004 and a day from now. */
import { expect, test } from 'vitest';
import { claimAheadMs, claimedTime, earliestClaim } from '../../shared/platform/claimed-time.ts';

const now = Date.UTC(2026, 10, 25);

test.for<[string, number, number | undefined]>([
  ['that is now is accepted', now, now],
  ['at the start of 2004 is accepted', earliestClaim, earliestClaim],
  ['a millisecond before 2004 is rejected', earliestClaim - 1, undefined],
  ['a day ahead is accepted', now + claimAheadMs, now + claimAheadMs],
  ['a day and a millisecond ahead is rejected', now + claimAheadMs + 1, undefined],
  ['a fraction of a millisecond ahead is rounded down', now + 0.5, now],
  ['after the last representable date is rejected', 9e15, undefined],
  ['that is infinite is rejected', Number.POSITIVE_INFINITY, undefined],
  ['that is not a number is rejected', Number.NaN, undefined],
])('a time stated by an outside party %s', ([, claimed, expected]) => {
  expect(claimedTime(claimed).pastBy(now)).toBe(expected);
});
