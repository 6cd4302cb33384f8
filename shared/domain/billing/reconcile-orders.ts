/** Compares orders with what the gateway says of their payments, so that a lost event costs minutes. */
import { pixMinutes } from '../../contracts/billing.ts';
import type { PixGateway, PixPayment } from '../../gateways/pix-gateway.ts';
import { type Applied, applyPayment, type PaymentNeeds, recordCase } from './apply-payment.ts';
import { orderCurrency, type PackOrder } from './order.ts';
import { ordersInTurn, saveTurn } from './orders-in-turn.ts';

export interface ReconcileNeeds extends PaymentNeeds {
  readonly pixGateway: PixGateway;
}

/** How long after its end a payment may still be on its way. */
const graceMs = 2 * 60_000;

/** A repeat of a request can complete its charge, and store the order, for as long as the order can be paid. */
const orphanAfterMs = pixMinutes * 60_000 + graceMs;

/** How late a change may appear in a search, clocks that differ included. */
const overlapMs = 15 * 60_000;

/** Before the first reconciliation of a service: longer than its first one can be late. */
const firstLookBackMs = 24 * 3_600_000;

/** `too-early`: its order may be about to be stored. */
export type Attended = Applied | 'too-early';

/** Whether what the gateway has said of the payment and what has become of its order may contradict each other by now. */
const isDoubtful = ({ moves, order }: Applied, { paymentId, status }: PixPayment): boolean =>
  order?.status === 'refunded' && order.paidBy === paymentId && (status === 'paid' || moves.length > 0);

/**
 * A payment whose credits were taken back is paid after all if it still is after that has happened. Only an operator
 * knows how many credits that makes.
 */
async function attendReturned(needs: ReconcileNeeds, order: PackOrder, paymentId: string): Promise<void> {
  const payment = await needs.pixGateway.read(paymentId);
  if (payment?.status === 'paid') await recordCase(needs, 'payment-after-refund', order, payment);
}

/** Applies a payment; one whose order was never stored is canceled, or is a case if it was paid. */
export async function attendPayment(needs: ReconcileNeeds, payment: PixPayment, eventId?: string): Promise<Attended> {
  const { clock, pixGateway } = needs;
  const applied = await applyPayment(needs, payment, eventId);
  const { orderId, paymentId, status } = payment;
  const { order } = applied;
  if (order && isDoubtful(applied, payment)) await attendReturned(needs, order, paymentId);
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

/** An order that waits for its payment. It ends if it can no longer be paid, also if a wrong amount was paid. */
async function attendOrder(needs: ReconcileNeeds, order: PackOrder): Promise<void> {
  const { clock, pixGateway } = needs;
  const isOverdue = clock.now() >= order.payableUntil + graceMs;
  const payment = isOverdue ? await readEnded(needs, order.chargeId) : await pixGateway.read(order.chargeId);
  if (payment) await applyPayment(needs, payment);
  if (isOverdue && payment?.status !== 'pending') await applyPayment(needs, expired(order));
}

export interface Reconciliation {
  readonly attended: number;
  /** The orders and payments that could not be attended to, and the search if it has failed. */
  readonly failures: readonly { readonly id: string; readonly error: unknown }[];
  /** When the oldest order was created that should no longer wait for its payment. */
  readonly oldestOverdueAt: number | undefined;
}

/** How much is done in one run: what is left over is the next run's, so that no flood can starve what comes after it. */
export interface Budget {
  readonly payments: number;
  readonly orders: number;
  /** For the payments, and again for the orders. */
  readonly ms: number;
}

/** Twice the time, with what has been begun, ends within the function's time limit. */
const wholeBudget: Budget = { payments: 2000, orders: 500, ms: 120_000 };

type Attend = (id: string, work: () => Promise<unknown>) => Promise<void>;

/** Whether there is room for one more. */
function spend({ clock }: ReconcileNeeds, most: number, { ms }: Budget): () => boolean {
  const until = clock.now() + ms;
  let left = most;
  return () => {
    left -= 1;
    return left >= 0 && clock.now() <= until;
  };
}

/** Where the last complete search ended. The first one's start is stored, so that it stays where it is until one is complete. */
async function searchedUntil({ clock, orders, pixGateway }: ReconcileNeeds): Promise<number> {
  const mark = await orders.searchMark(pixGateway.name);
  if (mark !== undefined) return mark;
  const first = clock.now() - firstLookBackMs;
  await orders.saveSearchMark(pixGateway.name, first);
  return first;
}

/** The next search begins where this one does, unless everything that has changed before has been attended to. */
async function attendChanged(needs: ReconcileNeeds, attend: Attend, budget: Budget): Promise<void> {
  const { clock, orders, pixGateway } = needs;
  const isAffordable = spend(needs, budget.payments, budget);
  const since = await searchedUntil(needs);
  let searchedTo = clock.now();
  let missedSince = Number.POSITIVE_INFINITY;
  for await (const found of pixGateway.changedSince(since - overlapMs)) {
    const { changedAt = since } = found;
    if (!isAffordable()) {
      // The next search begins right there.
      searchedTo = changedAt + overlapMs;
      break;
    }
    let isAttended = false;
    await attend(`payment ${found.paymentId}`, async () => {
      if ('error' in found) throw found.error;
      // What is too early may never change again: it has to be found once more.
      isAttended = (await attendPayment(needs, found)) !== 'too-early';
    });
    if (!isAttended) missedSince = Math.min(missedSince, changedAt);
  }
  await orders.saveSearchMark(pixGateway.name, Math.min(missedSince, searchedTo));
}

const isOwn = ({ pixGateway }: ReconcileNeeds, order: PackOrder | undefined): order is PackOrder =>
  // What was charged by another gateway is left to operators.
  order?.status === 'pending' && order.gateway === pixGateway.name;

async function attendPending(needs: ReconcileNeeds, attend: Attend, budget: Budget): Promise<void> {
  const { orders } = needs;
  const isAffordable = spend(needs, budget.orders, budget);
  let last: string | undefined;
  for await (const orderId of ordersInTurn(needs)) {
    if (!isAffordable()) return saveTurn(needs, last);
    await attend(`order ${orderId}`, async () => {
      const order = await orders.findPack(orderId);
      if (isOwn(needs, order)) await attendOrder(needs, order);
    });
    last = orderId;
  }
  await saveTurn(needs, undefined);
}

/** Pending orders are listed oldest first; some of the first may have ended a moment ago, or be another gateway's. */
async function oldestOverdue(needs: ReconcileNeeds): Promise<number | undefined> {
  const { clock, orders } = needs;
  let looks = 0;
  for await (const orderId of orders.pending()) {
    const order = await orders.findPack(orderId);
    if (isOwn(needs, order)) return clock.now() >= order.payableUntil + 2 * graceMs ? order.createdAt : undefined;
    looks += 1;
    if (looks === 100) break;
  }
  return undefined;
}

/** One failure must not keep the others waiting, not even that of the search. */
export async function reconcileOrders(needs: ReconcileNeeds, budget = wholeBudget): Promise<Reconciliation> {
  const failures: { id: string; error: unknown }[] = [];
  let attended = 0;
  const attend: Attend = async (id, work) => {
    attended += 1;
    await work().catch((error: unknown) => failures.push({ id, error }));
  };
  await attendChanged(needs, attend, budget).catch((error: unknown) => failures.push({ id: 'search', error }));
  await attendPending(needs, attend, budget);
  return { attended, failures, oldestOverdueAt: await oldestOverdue(needs) };
}
