/**
 * Changes that subscriptions make to an account (its credits, its plan and the active subscription) as a single write.
 */
import type { Feature } from '../../contracts/features.ts';
import type { Action } from '../../platform/dynamo-table.ts';
import type { Account } from './account.ts';
import { isOpen } from './closed-account.ts';
import { emptyAccount } from './refund-claims.ts';
import { type Clauses, updateAccount } from './update-account.ts';

export interface Plan {
  readonly planId: string;
  readonly features: readonly Feature[];
  /** The subscription that gives the plan, if it is not the one whose change is written. */
  readonly source?: string;
}

export interface AccountChange {
  /** How many credits to add to the balance or, if negative, to take from it. */
  readonly credits?: number;
  /** The account as it was read, whose whole balance is taken back, and the case about the credits that it lacks. */
  readonly emptied?: { readonly account: Account; readonly caseId: string };
  /** Whether the subscription becomes the account's active one, or stops being it. */
  readonly active?: 'begins' | 'ends';
  /** The plan that the subscription gives the account; null takes it away. */
  readonly plan?: Plan | null;
  /** Whether the change follows from a payment; it is then not made to a closed account. */
  readonly isPaidFor?: true;
  /** A further condition on the account; if it does not hold, nothing is written. */
  readonly only?: 'if active' | 'if it gave the plan' | 'if it has no plan';
}

function* clausesOf(subscriptionId: string, change: AccountChange): Generator<Clauses> {
  const { credits = 0, emptied, active, plan, isPaidFor, only } = change;
  if (credits !== 0) {
    const values = { ':credits': credits, ':min': Math.max(0, -credits) };
    yield { set: ['balance = balance + :credits'], when: ['balance >= :min'], values };
  }
  if (emptied) yield* emptyAccount(emptied.account, emptied.caseId);
  const id = { ':id': subscriptionId };
  if (active === 'begins') {
    yield { set: ['activeSubscription = :id'], when: ['attribute_not_exists(activeSubscription)'], values: id };
  }
  if (active === 'ends') yield { remove: ['activeSubscription'], when: ['activeSubscription = :id'], values: id };
  if (plan) {
    const values = { ':plan': plan.planId, ':source': plan.source ?? subscriptionId, ':features': [...plan.features] };
    yield { set: ['planId = :plan', 'planSource = :source', 'features = :features'], values };
  }
  if (plan === null) {
    const set = ['features = :features'];
    yield { set, remove: ['planId', 'planSource'], when: ['planSource = :id'], values: { ...id, ':features': [] } };
  }
  if (isPaidFor) yield { when: [isOpen] };
  if (only === 'if active') yield { when: ['activeSubscription = :id'], values: id };
  if (only === 'if it has no plan') yield { when: ['attribute_not_exists(planId)'] };
  if (only === 'if it gave the plan') yield { when: ['planSource = :id'], values: id };
}

/** The write that changes the account; undefined if nothing changes. */
export function changeAccount(accountId: string, subscriptionId: string, change: AccountChange): Action | undefined {
  const clauses = [...clausesOf(subscriptionId, change)];
  const isChange = clauses.some(({ set = [], remove = [] }) => set.length > 0 || remove.length > 0);
  return isChange ? updateAccount(accountId, clauses) : undefined;
}
