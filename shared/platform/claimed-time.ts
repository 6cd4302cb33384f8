/** Times that somebody outside claims: one becomes a number only by comparison with the service's clock. */

export interface ClaimedTime {
  /** In milliseconds; undefined for what cannot have happened by now. */
  pastBy(now: number): number | undefined;
}

/** Nothing that the service learns of is older: the networks did not exist. */
export const earliestClaim = Date.UTC(2004, 0, 1);

/** How far a clock outside may be ahead. */
export const claimAheadMs = 24 * 3_600_000;

export const claimedTime = (milliseconds: number): ClaimedTime => ({
  pastBy: (now) =>
    milliseconds >= earliestClaim && milliseconds <= now + claimAheadMs ? Math.trunc(milliseconds) : undefined,
});
