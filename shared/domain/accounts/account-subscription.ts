/**
 * Changes that subscriptions make to an account (its credits, its plan and the active subscription) as a single write.
 */
import type { Feature } from '../../contracts/features.ts';
import type { Action } from '../../platform/dynamo-table.ts';
import { accountKey } from '../keys.ts';

export interface Plan {
  readonly planId: string;
  readonly features: readonly Feature[];
  /** The subscription that gives the plan, if it is not the one whose change is written. */
  readonly source?: string;
}

export interface AccountChange {
  /** Credits to add to the balance, or, if negative, to take from it. */
  readonly credits?: number;
  /** The balance that is expected, all of which is taken away. */
  readonly emptied?: number;
  /** Whether the subscription becomes the account's active one, or stops being it. */
  readonly active?: 'begins' | 'ends';
  /** The plan that the subscription gives the account; null takes it away. */
  readonly plan?: Plan | null;
  /** A condition on the account that must hold, or nothing is written. */
  readonly only?: 'if active' | 'if it gave the plan' | 'if it has no plan';
}

interface Clauses {
  readonly set?: readonly string[];
  readonly remove?: readonly string[];
  readonly when?: readonly string[];
  readonly values?: Readonly<Record<string, unknown>>;
}

function* clausesOf(subscriptionId: string, change: AccountChange): Generator<Clauses> {
  const { credits = 0, emptied, active, plan, only } = change;
  if (credits !== 0) {
    const values = { ':credits': credits, ':min': Math.max(0, -credits) };
    yield { set: ['balance = balance + :credits'], when: ['balance >= :min'], values };
  }
  if (emptied !== undefined) {
    yield { set: ['balance = :nothing'], when: ['balance = :emptied'], values: { ':nothing': 0, ':emptied': emptied } };
  }
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
  if (only === 'if active') yield { when: ['activeSubscription = :id'], values: id };
  if (only === 'if it has no plan') yield { when: ['attribute_not_exists(planId)'] };
  if (only === 'if it gave the plan') yield { when: ['planSource = :id'], values: id };
}

/** The write that changes the account; undefined if nothing changes. */
export function changeAccount(accountId: string, subscriptionId: string, change: AccountChange): Action | undefined {
  const clauses = [...clausesOf(subscriptionId, change)];
  const [set, remove] = [clauses.flatMap((one) => one.set ?? []), clauses.flatMap((one) => one.remove ?? [])];
  if (set.length === 0 && remove.length === 0) return undefined;
  const parts = [set.length > 0 && `SET ${set.join(', ')}`, remove.length > 0 && `REMOVE ${remove.join(', ')}`];
  const when = ['attribute_exists(pk)', ...clauses.flatMap((one) => one.when ?? [])];
  const values = Object.assign({}, ...clauses.map((one) => one.values ?? {}));
  return {
    Update: {
      Key: accountKey(accountId),
      UpdateExpression: parts.filter((part) => part !== false).join(' '),
      ConditionExpression: when.join(' AND '),
      ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
    },
  };
}
