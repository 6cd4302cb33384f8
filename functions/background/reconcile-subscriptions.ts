import { Tick } from '../../shared/contracts/workflow.ts';
import { reconcileSubscriptions as reconcile } from '../../shared/domain/billing/reconcile-subscriptions.ts';
import { subscriptionGateway } from '../../shared/gateways/gateways.ts';
import { type Step, stepLambda } from '../../shared/runtime/step-lambda.ts';

/** Compares subscriptions with their gateway, and does what is due, so that a lost event costs minutes. */
export const reconcileSubscriptions: Step<typeof Tick, 'subscriptionGateway'> = async (_tick, context) => {
  const { attended, failures, oldestDueAt } = await reconcile(context);
  for (const { id, error } of failures) {
    context.logger.error('reconciliation failed', { id, error: error as Error });
  }
  const age = oldestDueAt === undefined ? 0 : context.clock.now() - oldestDueAt;
  context.metrics.record({ OldestOverdueSubscriptionAge: age / 1000, ReconciliationFailures: failures.length });
  return { attended, failed: failures.length };
};

export const definition = stepLambda('reconcileSubscriptions', Tick, reconcileSubscriptions, { subscriptionGateway });
