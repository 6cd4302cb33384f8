/** Timestamps from untrusted parties: one becomes a number only after a comparison with the service's clock. */

export interface ClaimedTime {
  /** The time in milliseconds; undefined if it is implausibly old, or further ahead than the other clock may be. */
  pastBy(now: number, aheadMs?: number): number | undefined;
}

/** The earliest plausible timestamp: no social network existed before. */
export const earliestClaim = Date.UTC(2004, 0, 1);

/** How far an external clock may be ahead. */
export const claimAheadMs = 24 * 3_600_000;

export const claimedTime = (milliseconds: number): ClaimedTime => ({
  pastBy: (now, aheadMs = claimAheadMs) =>
    milliseconds >= earliestClaim && milliseconds <= now + aheadMs ? Math.trunc(milliseconds) : undefined,
});
