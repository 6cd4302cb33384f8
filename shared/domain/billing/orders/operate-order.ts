/** Lets operators settle and cancel orders of credit packs. The state of the payment always comes from the gateway. */
import { TransactionCanceled } from '../../../platform/dynamo-table.ts';
import type { ReconcileNeeds } from '../reconciliation/reconcile-orders.ts';
import { applyPayment } from './apply-payment.ts';
import type { PackOrder } from './order.ts';
import { moveOrder } from './order-store.ts';

/** Applies the gateway's state of the charge to the order, and returns the updated order. */
export async function settleOrder(needs: ReconcileNeeds, order: PackOrder): Promise<PackOrder> {
  const payment = await needs.pixGateway.read(order.chargeId);
  if (payment) await applyPayment(needs, payment);
  return (await needs.orders.findPack(order.orderId)) ?? order;
}

/** Cancels a pending order, unless it is paid at that moment, and returns the updated order. */
export async function cancelOrder(needs: ReconcileNeeds, order: PackOrder): Promise<PackOrder> {
  const { clock, orders, pixGateway, table } = needs;
  if (order.gateway === pixGateway.name) {
    await pixGateway.cancel(order.chargeId);
    return settleOrder(needs, order);
  }
  // The order's gateway is no longer configured, so it cannot be called.
  const canceled = moveOrder(order, { status: 'canceled', canceledAt: clock.now() });
  await table.transact([canceled]).catch((error: unknown) => {
    if (!(error instanceof TransactionCanceled)) throw error;
  });
  return (await orders.findPack(order.orderId)) ?? order;
}
