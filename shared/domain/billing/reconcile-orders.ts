/** Compares orders with what the gateway says of their payments, so that a lost event costs minutes. */

import { pixMinutes } from '../../contracts/billing.ts';
import type { PixGateway, PixPayment } from '../../gateways/pix-gateway.ts';
import { readableFinds } from '../readable-rows.ts';
import { type Applied, applyPayment, type PaymentNeeds, recordCase } from './apply-payment.ts';
import { orderCurrency, type PackOrder } from './order.ts';
import { ordersInTurn, saveTurn } from './orders-in-turn.ts';
import { type Handle, type Reconciliation, runMs, runSteps } from './reconciliation.ts';
import { countPostponed, handlePostponed, type Search, searchChanges } from './search-changes.ts';

export interface ReconcileNeeds extends PaymentNeeds {
  readonly pixGateway: PixGateway;
}

/** How long after its end a payment may still be on its way. */
const graceMs = 2 * 60_000;

/** A repeat of a request can complete its charge, and store the order, for as long as the order can be paid. */
const orphanAfterMs = pixMinutes * 60_000 + graceMs;

/** `too-early`: its order may be about to be stored. */
export type Handled = Applied | 'too-early';

/** Whether what the gateway has said of the payment and what has become of its order may contradict each other by now. */
const isDoubtful = ({ moves, order }: Applied, { paymentId, status }: PixPayment): boolean =>
  order?.status === 'refunded' && order.paidBy === paymentId && (status === 'paid' || moves.length > 0);

/**
 * A payment whose credits were taken back is paid after all if it still is after that has happened. Only an operator
 * knows how many credits that makes.
 */
async function handleReturned(needs: ReconcileNeeds, order: PackOrder, paymentId: string): Promise<void> {
  const payment = await needs.pixGateway.read(paymentId);
  if (payment?.status === 'paid') await recordCase(needs, 'payment-after-refund', order, payment);
}

/** Applies a payment; one whose order was never stored is canceled, or is a case if it was paid. */
export async function handlePayment(needs: ReconcileNeeds, payment: PixPayment, eventId?: string): Promise<Handled> {
  const { clock, pixGateway } = needs;
  const applied = await applyPayment(needs, payment, eventId);
  const { orderId, paymentId, status } = payment;
  const { order } = applied;
  if (order && isDoubtful(applied, payment)) await handleReturned(needs, order, paymentId);
  if (order || orderId === undefined) return applied;
  if (clock.now() - payment.createdAt < orphanAfterMs) return 'too-early';
  if (status === 'pending') await pixGateway.cancel(paymentId);
  if (status === 'paid' || status === 'disputed')
    await recordCase(needs, 'payment-without-order', { orderId, gateway: pixGateway.name }, payment);
  return applied;
}

/** Whatever became of its payment, it did not pay the order. */
const expired = ({ orderId, chargeId: paymentId, cents, createdAt }: PackOrder): PixPayment => ({
  paymentId,
  orderId,
  status: 'expired',
  cents,
  currency: orderCurrency,
  refundedCents: 0,
  createdAt,
  changedAt: createdAt,
});

/** What the gateway says of a payment, once it can no longer be made. */
async function readEnded({ pixGateway }: ReconcileNeeds, paymentId: string): Promise<PixPayment | undefined> {
  const payment = await pixGateway.read(paymentId);
  if (payment?.status !== 'pending') return payment;
  await pixGateway.cancel(paymentId);
  return pixGateway.read(paymentId);
}

/** An order that waits for its payment. It ends if it can no longer be paid, even if a wrong amount was paid. */
async function reconcileOrder(needs: ReconcileNeeds, order: PackOrder): Promise<void> {
  const { clock, pixGateway } = needs;
  const isOverdue = clock.now() >= order.payableUntil + graceMs;
  const payment = isOverdue ? await readEnded(needs, order.chargeId) : await pixGateway.read(order.chargeId);
  if (payment) await applyPayment(needs, payment);
  if (isOverdue && payment?.status !== 'pending') await applyPayment(needs, expired(order));
}

const isOwn = ({ pixGateway }: ReconcileNeeds, order: PackOrder | undefined): order is PackOrder =>
  // What was charged by another gateway is left to operators.
  order?.status === 'pending' && order.gateway === pixGateway.name;

async function reconcilePendingOrders(needs: ReconcileNeeds, handle: Handle, endsAt: number): Promise<void> {
  const { clock, orders } = needs;
  let last: string | undefined;
  for await (const orderId of ordersInTurn(needs)) {
    if (clock.now() >= endsAt) return saveTurn(needs, last);
    await handle(`order ${orderId}`, async () => {
      const order = await orders.findPack(orderId);
      if (isOwn(needs, order)) await reconcileOrder(needs, order);
    });
    last = orderId;
  }
  await saveTurn(needs, undefined);
}

/** Pending orders are listed oldest first; some of the first may have ended a moment ago, or be another gateway's. */
async function oldestOverdue(needs: ReconcileNeeds): Promise<number | undefined> {
  const { clock, orders, table } = needs;
  let looks = 0;
  for await (const orderId of orders.pending()) {
    const [order] = await readableFinds(table, { kind: 'order', idOf: String }, [orderId], (id) => orders.findPack(id));
    if (isOwn(needs, order)) return clock.now() >= order.payableUntil + 2 * graceMs ? order.createdAt : undefined;
    looks += 1;
    if (looks === 100) break;
  }
  return undefined;
}

const searchIn = (needs: ReconcileNeeds): Search<PixPayment> => ({
  gateway: needs.pixGateway,
  kind: 'payment',
  subjectOf: ({ paymentId }) => paymentId,
  work: async (payment) =>
    (await handlePayment(needs, payment)) === 'too-early' ? payment.createdAt + orphanAfterMs : undefined,
});

/** `oldestDueAt` is when the oldest order was created that should no longer wait for its payment. */
export async function reconcileOrders(needs: ReconcileNeeds, limitMs = runMs): Promise<Reconciliation> {
  const startedAt = needs.clock.now();
  const search = searchIn(needs);
  // Whatever takes long, each step is sure to get its part of the time.
  const run = await runSteps({
    aside: (handle) => handlePostponed(needs, search, { handle, endsAt: startedAt + limitMs / 4 }),
    search: (handle) => searchChanges(needs, search, { handle, endsAt: startedAt + limitMs / 2 }),
    orders: (handle) => reconcilePendingOrders(needs, handle, startedAt + limitMs),
  });
  const postponed = await countPostponed(needs, search, run.failures);
  return { ...run, postponed, oldestDueAt: await oldestOverdue(needs) };
}
