import { Tick } from '../../shared/contracts/workflow.ts';
import { reconcileSubscriptions as reconcile } from '../../shared/domain/billing/reconciliation/reconcile-subscriptions.ts';
import { recordReconciliation } from '../../shared/domain/billing/reconciliation/reconciliation.ts';
import { accounts, cases, orders, subscriptions } from '../../shared/domain/store-ports.ts';
import { subscriptionGateway } from '../../shared/gateways/subscription-gateways.ts';
import { type Step, stepLambda } from '../../shared/runtime/step-lambda.ts';

/**
 * Compares subscriptions with their gateway and does what is due, so that a lost event delays a change by minutes only.
 */
export const reconcileSubscriptions: Step<
  typeof Tick,
  'subscriptionGateway' | 'accounts' | 'cases' | 'orders' | 'subscriptions'
> = async (_tick, context) => recordReconciliation(context, await reconcile(context), 'OldestOverdueSubscriptionAge');

export const definition = stepLambda('reconcileSubscriptions', Tick, reconcileSubscriptions, {
  accounts,
  cases,
  orders,
  subscriptions,
  subscriptionGateway,
});
