import { subscriptionContracts } from '../../shared/contracts/subscriptions.ts';
import { createSubscription as create } from '../../shared/domain/billing/subscriptions/create-subscription.ts';
import { accounts, catalog, orders } from '../../shared/domain/store-ports.ts';
import { subscriptionGateway } from '../../shared/gateways/subscription-gateways.ts';
import { pause } from '../../shared/platform/pause.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';
import { sharedLambda } from '../../shared/runtime/shared-lambda.ts';

/** Orders a subscription, and creates the checkout in which it is paid. */
export const createSubscription: Operation<
  'createSubscription',
  'accounts' | 'catalog' | 'orders' | 'subscriptionGateway'
> = ({ actor, body, idempotency }, context) =>
  create({ ...context, pause }, { accountId: actor.accountId, body, idempotency });

export const definition = sharedLambda(subscriptionContracts.createSubscription, createSubscription, {
  accounts,
  catalog,
  orders,
  subscriptionGateway,
});
