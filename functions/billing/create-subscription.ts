import { subscriptionContracts } from '../../shared/contracts/subscriptions.ts';
import { createSubscription as create } from '../../shared/domain/billing/create-subscription.ts';
import { subscriptionGateway } from '../../shared/gateways/gateways.ts';
import { pause } from '../../shared/platform/pause.ts';
import { operationLambda } from '../../shared/runtime/operation-lambda.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';

/** Orders a subscription, with the checkout in which it is paid. */
export const createSubscription: Operation<'createSubscription', 'subscriptionGateway'> = (
  { actor, body, idempotency },
  context,
) => create({ ...context, pause }, { accountId: actor.accountId, body, idempotency });

export const definition = operationLambda(subscriptionContracts.createSubscription, createSubscription, {
  subscriptionGateway,
});
