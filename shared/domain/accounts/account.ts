/** An account: its owner, its credits and slots, and what its plan entitles it to. */
import type { Feature } from '../../contracts/features.ts';
import type { Retention } from '../retention.ts';
import type { DayCount } from './day-count.ts';
import type { RefundClaim } from './refund-claims.ts';

export interface Closing {
  readonly at: number;
  readonly eraseAt: number;
  readonly erasingAt?: number;
  /** Whether the owner closed the account at the dashboard, where they can open it again; otherwise an operator did. */
  readonly isByOwner?: boolean;
}

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
  /** The open tasks whose price depends on the duration of a file; absent if there are none. */
  readonly openFileTasks?: readonly string[];
  /** The end time of the last long result. */
  readonly latestLongResultAt?: number;
  /**
   * The end time of the oldest of the last {@link longResultsPerDay} long results; a long result is a task whose engine
   * worked for longer than was paid for.
   */
  readonly oldestLongResultAt?: number;
  /** How many tasks the account canceled on the last day (UTC) on which it canceled any. */
  readonly cancels?: DayCount;
  /** How many charged failures the account had on the last day (UTC) on which it had any. */
  readonly chargedFailures?: DayCount;
  /** The beginning of the last day (UTC) on which the account was to create no more tasks whose engines charge. */
  readonly barredOn?: number;
  /** When and why an operator last lifted the limits that follow from long results. */
  readonly limitsLifted?: { readonly at: number; readonly reason: string };
  /**
   * Present while the closing of the account is pending: when its owner closed it, when it will be erased, and when the
   * erasure began, after which it cannot be opened again.
   */
  readonly closing?: Closing;
  /** When the owner last opened the closed account again. */
  readonly reopenedAt?: number;
  /** When the account was erased: from then on it has no name and no email address. */
  readonly erasedAt?: number;
  /** When the daily credits of a test account were last topped up; absent for other accounts. */
  readonly filledAt?: number;
  /**
   * Claims on refunds of open tasks: returned payments whose credits are still missing, oldest first; absent if there
   * are none.
   */
  readonly refundClaims?: readonly RefundClaim[];
  /** For how long new tasks keep results and inputs; absent for the default. */
  readonly retention?: Retention;
}
