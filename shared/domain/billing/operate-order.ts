/** What operators do with orders of packs. Money is never taken on their word: the gateway is asked what it has. */
import { TransactionCanceled } from '../../platform/dynamo-table.ts';
import { applyPayment } from './apply-payment.ts';
import type { PackOrder } from './order.ts';
import { moveOrder } from './order-store.ts';
import type { ReconcileNeeds } from './reconcile-orders.ts';

/** Brings the order to what the gateway says of its charge, and returns it as it is then. */
export async function settleOrder(needs: ReconcileNeeds, order: PackOrder): Promise<PackOrder> {
  const payment = await needs.pixGateway.read(order.chargeId);
  if (payment) await applyPayment(needs, payment);
  return (await needs.orders.findPack(order.orderId)) ?? order;
}

/** Ends an order that waits for its payment, unless it is paid in that moment; returns it as it is then. */
export async function cancelOrder(needs: ReconcileNeeds, order: PackOrder): Promise<PackOrder> {
  const { clock, orders, pixGateway, table } = needs;
  if (order.gateway === pixGateway.name) {
    await pixGateway.cancel(order.chargeId);
    return settleOrder(needs, order);
  }
  // The service no longer knows the gateway that could be asked.
  const canceled = moveOrder(order, { status: 'canceled', canceledAt: clock.now() });
  await table.transact([canceled]).catch((error: unknown) => {
    if (!(error instanceof TransactionCanceled)) throw error;
  });
  return (await orders.findPack(order.orderId)) ?? order;
}
