/** A claimed time is accepted only if it is between 2004 and a day from now. */
import { expect, test } from 'vitest';
import { claimAheadMs, claimedTime, earliestClaim } from '../../shared/platform/claimed-time.ts';

const now = Date.UTC(2026, 10, 25);

test.for<[string, number, number | undefined]>([
  ['now', now, now],
  ['the start of 2004', earliestClaim, earliestClaim],
  ['a millisecond before 2004', earliestClaim - 1, undefined],
  ['a day from now', now + claimAheadMs, now + claimAheadMs],
  ['a day and a millisecond from now', now + claimAheadMs + 1, undefined],
  ['a fraction of a millisecond', now + 0.5, now],
  ['after the last representable date', 9e15, undefined],
  ['infinite', Number.POSITIVE_INFINITY, undefined],
  ['not a number', Number.NaN, undefined],
])('a time stated by an outside party is accepted only within limits (%s)', ([, claimed, expected]) => {
  expect(claimedTime(claimed).pastBy(now)).toBe(expected);
});
