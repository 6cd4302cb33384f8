import { Tick } from '../../shared/contracts/workflow.ts';
import { countOpenCases } from '../../shared/domain/billing/cases/open-cases.ts';
import { reconcileOrders as reconcile } from '../../shared/domain/billing/reconciliation/reconcile-orders.ts';
import { recordReconciliation } from '../../shared/domain/billing/reconciliation/reconciliation.ts';
import { accounts, cases, orders } from '../../shared/domain/store-ports.ts';
import { pixGateway } from '../../shared/gateways/pix-gateways.ts';
import { type Step, stepLambda } from '../../shared/runtime/step-lambda.ts';

/** Compares orders with the gateway's payments, so that a lost event delays a payment by minutes only. */
export const reconcileOrders: Step<typeof Tick, 'pixGateway' | 'accounts' | 'cases' | 'orders'> = async (
  _tick,
  context,
) => {
  const outcome = recordReconciliation(context, await reconcile(context), 'OldestOverdueOrderAge');
  // Counts all open cases, because a process that crashes right after recording one has not reported it.
  context.metrics.record({ OpenBillingCases: await countOpenCases(context.table) });
  return outcome;
};

export const definition = stepLambda('reconcileOrders', Tick, reconcileOrders, { accounts, cases, orders, pixGateway });
