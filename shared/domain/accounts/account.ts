/** An account: who it belongs to, what it has and what its plan entitles it to. */
import type { Feature } from '../../contracts/features.ts';

export interface Account {
  readonly accountId: string;
  readonly email: string;
  readonly name: string;
  /** Whole credits, never negative. */
  readonly balance: number;
  /** The ids of its tasks that are not terminal: the slots in use. */
  readonly openTasks: readonly string[];
  readonly planId?: string;
  /** The subscription that the plan and its features come from; without one, an operator gave the plan. */
  readonly planSource?: string;
  /** The subscription that is active or past due: at most one. */
  readonly activeSubscription?: string;
  readonly features: readonly Feature[];
  readonly createdAt: number;
}
