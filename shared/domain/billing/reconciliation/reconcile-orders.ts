/** Compares orders with their payments at the gateway, so that a lost event delays a payment by minutes only. */

import { pixMinutes } from '../../../contracts/billing.ts';
import type { PixGateway, PixPayment } from '../../../gateways/pix-gateway.ts';
import { readableFinds } from '../../readable-rows.ts';
import { type Applied, applyPayment, type PaymentNeeds, recordCase } from '../orders/apply-payment.ts';
import { orderCurrency, type PackOrder } from '../orders/order.ts';
import { pendingOrdersFromCursor, saveCursor } from '../orders/pending-orders.ts';
import { type Handle, type Reconciliation, runMs, runSteps } from './reconciliation.ts';
import { countPostponed, handlePostponed, type Search, searchChanges } from './search-changes.ts';

export interface ReconcileNeeds extends PaymentNeeds {
  readonly pixGateway: PixGateway;
}

/** How long after an order's end its payment may still be in progress. */
const graceMs = 2 * 60_000;

/**
 * The age from which a charge without an order counts as abandoned: until then, a repeated request can still use the
 * charge and store the order.
 */
const orphanAfterMs = pixMinutes * 60_000 + graceMs;

/** `too-early`: the order of the payment may be about to be stored. */
export type Handled = Applied | 'too-early';

/**
 * Whether the reported payment and the order may already contradict each other, so that the payment must be read again.
 */
const isDoubtful = ({ moves, order }: Applied, { paymentId, status }: PixPayment): boolean =>
  order?.status === 'refunded' && order.paidBy === paymentId && (status === 'paid' || moves.length > 0);

/**
 * If a refunded payment, whose credits were taken back, is still paid when read again, a case is opened: only an
 * operator can decide how many credits to restore.
 */
async function handleReturned(needs: ReconcileNeeds, order: PackOrder, paymentId: string): Promise<void> {
  const payment = await needs.pixGateway.read(paymentId);
  if (payment?.status === 'paid') await recordCase(needs, 'payment-after-refund', order, payment);
}

/** Applies a payment. If its order was never stored, the payment is canceled, or a case is opened if it was paid. */
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

/** A stand-in for the payment of an overdue order: whatever happened to the real one, it did not pay the order. */
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

/** Reads the payment of an overdue order, which is canceled first if it is still pending. */
async function readEnded({ pixGateway }: ReconcileNeeds, paymentId: string): Promise<PixPayment | undefined> {
  const payment = await pixGateway.read(paymentId);
  if (payment?.status !== 'pending') return payment;
  await pixGateway.cancel(paymentId);
  return pixGateway.read(paymentId);
}

/** How long after its end an order waits for a charge that cannot be read or canceled; a later payment still settles it. */
const longestWaitMs = 7 * 24 * 3_600_000;

/** Reconciles a pending order. It is closed if it can no longer be paid, even if a wrong amount was paid. */
async function reconcileOrder(needs: ReconcileNeeds, order: PackOrder): Promise<void> {
  const { clock, pixGateway } = needs;
  const overdueMs = clock.now() - order.payableUntil;
  const isForgotten = overdueMs >= longestWaitMs;
  try {
    const payment = await (overdueMs >= graceMs ? readEnded(needs, order.chargeId) : pixGateway.read(order.chargeId));
    if (payment) await applyPayment(needs, payment);
    if (overdueMs < graceMs || (payment?.status === 'pending' && !isForgotten)) return;
  } catch (error) {
    if (isForgotten) await applyPayment(needs, expired(order));
    throw error;
  }
  await applyPayment(needs, expired(order));
}

const isOwn = ({ pixGateway }: ReconcileNeeds, order: PackOrder | undefined): order is PackOrder =>
  // Orders of another gateway are left to operators.
  order?.status === 'pending' && order.gateway === pixGateway.name;

async function reconcilePendingOrders(needs: ReconcileNeeds, handle: Handle, endsAt: number): Promise<void> {
  const { clock, orders } = needs;
  let last: string | undefined;
  for await (const orderId of pendingOrdersFromCursor(needs)) {
    if (clock.now() >= endsAt) return saveCursor(needs, last);
    await handle(`order ${orderId}`, async () => {
      const order = await orders.findPack(orderId);
      if (isOwn(needs, order)) await reconcileOrder(needs, order);
    });
    last = orderId;
  }
  await saveCursor(needs, undefined);
}

/**
 * When the oldest overdue order was created. The list of pending orders may begin with orders that have just ended, or
 * that belong to another gateway.
 */
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
  async work(payment) {
    const isEarly = (await handlePayment(needs, payment)) === 'too-early';
    // Nothing follows from the others, such as those that were withdrawn because the account had too many orders.
    const mayFollow = payment.status === 'pending' || payment.status === 'paid' || payment.status === 'disputed';
    return isEarly && mayFollow ? payment.createdAt + orphanAfterMs : undefined;
  },
});

/** Runs the reconciliation. `oldestDueAt` is the creation time of the oldest overdue order. */
export async function reconcileOrders(needs: ReconcileNeeds, limitMs = runMs): Promise<Reconciliation> {
  const startedAt = needs.clock.now();
  const search = searchIn(needs);
  // The steps are separate, so that a slow one cannot use up the time of the others.
  const run = await runSteps({
    postponed: (handle) => handlePostponed(needs, search, { handle, endsAt: startedAt + limitMs / 4 }),
    search: (handle) => searchChanges(needs, search, { handle, endsAt: startedAt + limitMs / 2 }),
    orders: (handle) => reconcilePendingOrders(needs, handle, startedAt + limitMs),
  });
  const postponed = await countPostponed(needs, search, run.failures);
  return { ...run, postponed, oldestDueAt: await oldestOverdue(needs) };
}
