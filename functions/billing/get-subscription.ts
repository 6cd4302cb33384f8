import { subscriptionContracts } from '../../shared/contracts/subscriptions.ts';
import { presentCurrentSubscription } from '../../shared/domain/billing/subscriptions/current-subscription.ts';
import { accounts, subscriptions } from '../../shared/domain/store-ports.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';
import { sharedLambda } from '../../shared/runtime/shared-lambda.ts';

/** Returns the account's current subscription, or null. */
export const getSubscription: Operation<'getSubscription', 'accounts' | 'subscriptions'> = async (
  { actor },
  stores,
) => ({
  subscription: await presentCurrentSubscription(stores, actor.accountId),
});

export const definition = sharedLambda(subscriptionContracts.getSubscription, getSubscription, {
  accounts,
  subscriptions,
});
