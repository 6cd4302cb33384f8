import { Tick } from '../../shared/contracts/workflow.ts';
import { countOpenCases } from '../../shared/domain/billing/open-cases.ts';
import { reconcileOrders as reconcile } from '../../shared/domain/billing/reconcile-orders.ts';
import { pixGateway } from '../../shared/gateways/gateways.ts';
import { type Step, stepLambda } from '../../shared/runtime/step-lambda.ts';

/** Compares orders with the gateway's payments, so that a lost event costs minutes. */
export const reconcileOrders: Step<typeof Tick, 'pixGateway'> = async (_tick, context) => {
  const { attended, failures, oldestOverdueAt } = await reconcile(context);
  for (const { id, error } of failures) {
    context.logger.error('reconciliation failed', { id, error: error as Error });
  }
  // A process that dies after it has recorded a case reports it to nobody: what counts is what is open.
  context.metrics.record({ OpenBillingCases: await countOpenCases(context.table) });
  const oldest = oldestOverdueAt === undefined ? 0 : context.clock.now() - oldestOverdueAt;
  context.metrics.record({ OldestOverdueOrderAge: oldest / 1000, ReconciliationFailures: failures.length });
  return { attended, failed: failures.length };
};

export const definition = stepLambda('reconcileOrders', Tick, reconcileOrders, { pixGateway });
