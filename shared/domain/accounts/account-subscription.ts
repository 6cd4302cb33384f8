/** What subscriptions change about an account: its credits, its plan and which subscription is active, in one write. */
import type { Feature } from '../../contracts/features.ts';
import type { Action } from '../../platform/dynamo-table.ts';
import { accountKey } from '../keys.ts';

export interface Plan {
  readonly planId: string;
  readonly features: readonly Feature[];
  /** The subscription that gives it, if it is another one. */
  readonly source?: string;
}

export interface AccountChange {
  /** What is added to the balance, or taken from it. */
  readonly credits?: number;
  /** The balance that it must have, and have no longer: all of it is taken. */
  readonly emptied?: number;
  /** Becomes the active subscription, or stops being it. */
  readonly active?: 'begins' | 'ends';
  /** The plan that the account has because of the subscription; null if it has it no longer. */
  readonly plan?: Plan | null;
  /** What must be so, or else nothing is written. */
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
    const values = { ':credits': credits, ':least': Math.max(0, -credits) };
    yield { set: ['balance = balance + :credits'], when: ['balance >= :least'], values };
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

/** Undefined if nothing changes. */
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
