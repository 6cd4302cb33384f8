/** An account: its owner, its credits and slots, and what its plan entitles it to. */
import type { Feature } from '../../contracts/features.ts';
import type { RefundClaim } from './refund-claims.ts';

export interface Account {
  readonly accountId: string;
  readonly email: string;
  readonly name: string;
  /** The credits that the account has: a whole number, never negative. */
  readonly balance: number;
  /** The ids of tasks that have not ended, each of which takes a slot. */
  readonly openTasks: readonly string[];
  readonly planId?: string;
  /** The subscription that gave the plan and its features; absent if an operator gave the plan. */
  readonly planSource?: string;
  /** The one subscription that is active or past due, if there is one. */
  readonly activeSubscription?: string;
  readonly features: readonly Feature[];
  readonly createdAt: number;
  /**
   * The end time of the oldest of the last {@link longResultsPerDay} results that were longer than what was paid for.
   */
  readonly oldestLongResultAt?: number;
  /** Claims on the refunds of open tasks, oldest first; absent if there are none. */
  readonly refundClaims?: readonly RefundClaim[];
}
