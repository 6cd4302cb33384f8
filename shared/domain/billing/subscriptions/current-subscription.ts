/** The current subscription of an account, as the API presents it. */
import { timestamp } from '../../../platform/clock.ts';
import type { Stores } from '../../stores.ts';
import type { Subscription } from './subscription.ts';

/** The subscription that is active or past due; otherwise the newest pending one, or else the newest canceled one. */
export async function currentSubscription(
  { accounts, subscriptions }: Pick<Stores, 'accounts' | 'subscriptions'>,
  accountId: string,
): Promise<Subscription | undefined> {
  const active = (await accounts.find(accountId))?.activeSubscription;
  if (active !== undefined) return subscriptions.find(accountId, active);
  let canceled: Subscription | undefined;
  for await (const subscription of subscriptions.newestFirst(accountId)) {
    if (subscription.status === 'pending') return subscription;
    if (subscription.status === 'canceled') canceled ??= subscription;
  }
  return canceled;
}

const orNull = (at: number | undefined): string | null => (at === undefined ? null : timestamp(at));

/** Presents a current subscription; null if the account has none. */
export function presentSubscription(found: Subscription | undefined) {
  if (!found || found.status === 'abandoned') return null;
  const { subscriptionId: id, planId, planName, status, billingCycle, creditsPerMonth } = found;
  return {
    id,
    planId,
    planName,
    status,
    billingCycle,
    currentPeriodStart: orNull(found.currentPeriodStart),
    currentPeriodEnd: orNull(found.currentPeriodEnd),
    creditsPerMonth,
    createdAt: timestamp(found.createdAt),
  };
}

export const presentCurrentSubscription = async (
  stores: Pick<Stores, 'accounts' | 'subscriptions'>,
  accountId: string,
) => presentSubscription(await currentSubscription(stores, accountId));
