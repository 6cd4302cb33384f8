/** Invariants of subscriptions, their orders, credits, features and cases, derived from what the gateway knows. */
import type { Account } from '../../../shared/domain/accounts/account.ts';
import type { BillingCase } from '../../../shared/domain/billing/cases/billing-case.ts';
import type { Order } from '../../../shared/domain/billing/orders/order.ts';
import { wasActive } from '../../../shared/domain/billing/subscriptions/subscription.ts';
import { idempotencyHours } from '../../../shared/domain/idempotency/idempotency.ts';
import type { PaidInvoice } from '../../../shared/gateways/subscription-gateway.ts';
import { timeOfId } from '../../../shared/platform/ids.ts';
import { type ActualCheckout, dayMs } from '../../support/actual-checkout.ts';
import { ledgerProblems } from './billing-oracle.ts';
import {
  agreedInvoices,
  has,
  invoicesOf,
  isAgreed,
  isOpen,
  keptInvoices,
  misfiled,
  planOf,
  type Seen,
  sum,
  wasReturned,
} from './seen-checkout.ts';
import { type SubscriptionWorld, soldPlans } from './subscription-world.ts';
import { monthsBegun, monthsOwed, released } from './withheld-months.ts';

const keyMs = idempotencyHours * 3_600_000;

/**
 * The grace period: how long features stay available after the end of a paid period, while the payment of the next is
 * awaited.
 */
const graceMs = 3 * dayMs;

const monthsPaid = (checkout: ActualCheckout, invoices: readonly PaidInvoice[], now: number): number =>
  sum(invoices.map((invoice) => monthsBegun(checkout, invoice, now)));

/** Invariants that hold at any moment. */
function* unsafe({ now, checkout, order, rows }: Seen): Generator<string> {
  if (!order) {
    if (rows.length > 0) yield 'credits of an order that does not exist';
    return;
  }
  const added = rows.filter(({ reason }) => reason === 'subscription');
  const taken = rows.filter(({ reason }) => reason === 'refund');
  if (added.length + taken.length < rows.length) yield 'credits of a subscription for another reason';
  if (added.some(({ amount }) => amount !== planOf(checkout)?.credits)) yield 'other credits than those of the plan';
  const paid = agreedInvoices(checkout);
  if (added.length > 0 && paid.length === 0) yield 'credits without the agreed payment';
  else if (added.length > monthsPaid(checkout, paid, now)) yield 'more months are credited than were paid';
  if (sum(rows.map(({ amount }) => amount)) < 0) yield 'more credits are taken back than were added';
  if (order.status === 'paid' && added.length === 0) yield 'a paid order without credits';
}

/** No request is waiting, and the gateway has no payable checkout that the service does not know. */
function* unended({ checkout, order, subscription }: Seen): Generator<string> {
  if (checkout.status === 'open') yield 'a checkout can still be completed';
  if (order?.status === 'pending') yield 'an order waits for ever';
  if (subscription?.status === 'pending') yield 'a subscription waits for ever';
  if (!subscription && checkout.subscription && checkout.subscription.status !== 'canceled')
    yield 'the gateway goes on charging for a subscription that does not exist';
}

/** Payments for an order that does not exist, or in a checkout other than the order's. */
function* orphaned(seen: Seen): Generator<string> {
  for (const invoice of invoicesOf(seen.checkout))
    if (invoice.cents > 0 && !invoice.isRefunded && !has(seen, 'payment-without-order', invoice))
      yield 'money without an order or a case';
}

/** The expected state of the order of a paid checkout. */
function* misjudged(seen: Seen): Generator<string> {
  const { checkout, order, rows } = seen;
  const [first] = invoicesOf(checkout);
  if (!order) {
    yield* orphaned(seen);
    return;
  }
  if (!first) {
    if (order.status === 'paid' || order.status === 'refunded') yield 'an order is paid by nothing';
    return;
  }
  const isGranted = rows.length > 0;
  if (first.isRefunded) {
    if (order.status === 'paid') yield 'an order counts as paid whose money was returned';
  } else if (!isAgreed(checkout, first, 0)) {
    // An order whose invoice was refunded before any other report counts as refunded.
    const isKnown = order.status === 'failed' && has(seen, 'wrong-amount', first);
    if (!isKnown && !has(seen, 'payment-after-refund', first)) yield 'a wrong amount without a case';
  } else if (order.status === 'canceled') {
    if (!has(seen, 'second-subscription', first)) yield 'money without credits or a case';
    if (isGranted) yield 'a second subscription has credits';
  } else if (order.status !== 'paid' && !has(seen, 'payment-after-refund', first))
    yield 'an order that was paid as agreed is not paid';
  if (order.status !== 'paid' && order.status !== 'refunded' && checkout.subscription?.status !== 'canceled')
    yield 'the gateway goes on charging for an order that came to nothing';
}

/** Each paid month that was not refunded, and need not be withheld, is credited once. */
function* miscounted(seen: Seen): Generator<string> {
  const { now, checkout, order, rows, cases } = seen;
  if (order?.status !== 'paid' && order?.status !== 'refunded') return;
  const kept = keptInvoices(seen);
  const missing = sum(cases.filter(({ kind }) => kind === 'used-credits').map((one) => one.missingCredits ?? 0));
  const perMonth = planOf(checkout)?.credits ?? 0;
  const owed = sum(kept.map((invoice) => monthsOwed(checkout, invoice, now)));
  const credited = sum(rows.map(({ amount }) => amount));
  if (credited < owed * perMonth + missing) yield 'a month that was paid is not credited';
  if (credited > monthsPaid(checkout, kept, now) * perMonth + missing)
    yield 'returned money leaves credits that no case mentions';
  const wrong = invoicesOf(checkout).filter((invoice, index) => !isAgreed(checkout, invoice, index));
  const flagged = cases.filter(({ kind }) => kind === 'wrong-amount');
  if (wrong.some(({ isRefunded }) => !isRefunded) && flagged.length === 0) yield 'a wrong amount without a case';
  const partly = kept.filter(({ refundedCents }) => refundedCents > 0);
  if (partly.some((invoice) => !isOpen(seen, 'partial-refund', invoice))) yield 'a partial refund without a case';
  const failed = kept.filter(({ refundedCents }) => refundedCents === 0);
  if (failed.some((invoice) => isOpen(seen, 'partial-refund', invoice))) yield 'a case of a refund that failed';
  const recorded = new Map(seen.invoices.map(({ invoiceId, refundedCents }) => [invoiceId, refundedCents]));
  if (kept.some(({ invoiceId, refundedCents }) => (recorded.get(invoiceId) ?? 0) !== refundedCents))
    yield 'a refund that is recorded with another amount';
  for (const [index, invoice] of kept.entries()) {
    const isOverlapping = kept.slice(0, index).some((other) => other.periodEnd > invoice.periodStart);
    if (isOverlapping && !isOpen(seen, 'overlapping-periods', invoice)) yield 'time that was paid twice without a case';
  }
}

/** Other checkouts of an order cannot be paid, and payments in them do not continue. */
function* astray(seen: Seen): Generator<string> {
  const { checkout } = seen;
  if (checkout.status === 'open') yield 'a stray checkout can still be completed';
  if (checkout.subscription && checkout.subscription.status !== 'canceled')
    yield 'the gateway goes on charging for a stray checkout';
  yield* orphaned(seen);
}

/** Whether the last invoice that granted credits was refunded, which ends the subscription. */
const isReturned = (checkout: ActualCheckout): boolean => agreedInvoices(checkout).at(-1)?.isRefunded === true;

function* misstated(seen: Seen): Generator<string> {
  const { checkout, subscription } = seen;
  if (!subscription || !wasActive(subscription) || !checkout.subscription) return;
  const { status } = checkout.subscription;
  if (subscription.status !== status) yield `a subscription is ${subscription.status} that is ${status} at the gateway`;
  if (isReturned(checkout) && status !== 'canceled') yield 'the gateway goes on charging after a refund';
}

/** Invariants that hold once everything has been reconciled. */
function* unsettled(seen: Seen): Generator<string> {
  if (seen.checkout.isStray) {
    yield* astray(seen);
    return;
  }
  yield* misfiled(seen);
  yield* unended(seen);
  yield* misjudged(seen);
  yield* miscounted(seen);
  yield* misstated(seen);
}

/** The time until which this subscription gives the account its plan; 0 if it does not. */
function entitledUntil(seen: Seen): number {
  const { checkout, order, rows } = seen;
  const last = agreedInvoices(checkout).at(-1);
  // The order of a subscription is refunded with its first invoice, whatever happens to later ones.
  const wasPaid = order?.status === 'paid' || order?.status === 'refunded';
  if (!wasPaid || rows.length === 0 || !last || wasReturned(seen, last)) return 0;
  const { status = 'canceled', isEnding = false } = checkout.subscription ?? {};
  return status === 'canceled' || isEnding ? last.periodEnd : last.periodEnd + graceMs;
}

const couponOf = (order: Order): string | undefined => (order.type === 'subscription' ? order.couponCode : undefined);

const isRunning = ({ subscription }: Seen): boolean =>
  subscription?.status === 'active' || subscription?.status === 'past_due';

/** Invariants that hold at any moment. */
function* twice(account: Account, seen: readonly Seen[]): Generator<string> {
  const running = seen.filter(isRunning);
  if (running.length > 1) yield 'two subscriptions are active';
  if (running[0]?.order?.orderId !== account.activeSubscription)
    yield 'an account does not know its active subscription';
  const coupons = seen.flatMap(({ order }) => (order?.status === 'paid' ? (couponOf(order) ?? []) : []));
  if (new Set(coupons).size < coupons.length) yield 'an account has paid with a coupon twice';
}

/** Invariants that hold once everything has been reconciled. */
function* misentitled(
  now: number,
  { planId, planSource, features }: Account,
  seen: readonly Seen[],
): Generator<string> {
  const source = planSource === undefined ? undefined : seen.find(({ order }) => order?.orderId === planSource);
  const plan = soldPlans.find(({ id }) => id === planId);
  if ((planId === undefined) !== (planSource === undefined)) yield 'a plan that no subscription has brought';
  if (features.join() !== (plan?.features ?? []).join()) yield 'the features are not those of the plan';
  if (planId !== undefined && planId !== source?.checkout.request.planId)
    yield 'another plan than the one subscribed to';
  if (source && now >= entitledUntil(source)) yield 'features are kept after their end';
  // A later subscription may have replaced an earlier one: only an active subscription certainly determines the plan.
  const entitled = seen.filter((one) => entitledUntil(one) > now);
  const running = entitled.find(isRunning) ?? (entitled.length === seen.length ? entitled[0] : undefined);
  if (running && planSource !== running.order?.orderId) yield 'a subscription that was paid brings no features';
  if (planId === undefined && entitled.length > 0)
    yield 'the end of a subscription takes away what another one pays for';
}

async function seenOf(world: SubscriptionWorld, accountId: string, cases: readonly BillingCase[]): Promise<Seen[]> {
  const { stores, truth, clock } = world;
  const rows = await stores.ledger.list(accountId, { limit: 1000, offset: 0 });
  const own = truth.checkouts().filter(({ request }) => world.buyerOf(request.orderId) === accountId);
  return Promise.all(
    own.map(async (checkout) => {
      const { orderId } = checkout.request;
      const isOwn = (one: { readonly orderId?: string }) => one.orderId === orderId;
      const [order, subscription, invoices] = await Promise.all([
        stores.orders.find(orderId),
        stores.subscriptions.find(accountId, orderId),
        stores.subscriptions.invoices(orderId),
      ]);
      const own = { rows: rows.filter(isOwn), cases: cases.filter(isOwn) };
      return { now: clock.now(), checkout, order, subscription, invoices, ...own };
    }),
  );
}

/** Whether a checkout is the main one of its order, even if that order was never stored. */
const isMain = ({ checkout }: Seen): boolean => !checkout.isStray;

type Judge = (account: Account, seen: readonly Seen[]) => Iterable<string>;

async function* judged(world: SubscriptionWorld, judge: Judge): AsyncGenerator<string> {
  const cases = await world.stores.cases.list({ onlyOpen: false });
  for (const accountId of world.customers) {
    const account = await world.stores.accounts.find(accountId);
    if (account) yield* judge(account, await seenOf(world, accountId, cases));
    else yield 'an account is missing';
  }
}

/** Checks that customers have what they were promised, and that nothing was created twice. */
async function* ofCustomers({ promised, requested, stores, truth }: SubscriptionWorld): AsyncGenerator<string> {
  for (const orderId of promised) if (!(await stores.orders.find(orderId))) yield 'a promised order does not exist';
  for (const orderIds of requested.values()) {
    const times = [...orderIds].filter((orderId) => truth.of(orderId)).map(timeOfId);
    // How long an idempotency key is bound to its first request.
    const isShared = times.some((time, index) =>
      times.slice(index + 1).some((other) => Math.abs(other - time) < keyMs),
    );
    if (isShared) yield 'a key has two checkouts';
  }
}

/** All violated invariants of those that hold at any moment. */
export async function violations(world: SubscriptionWorld): Promise<string[]> {
  const { customers, stores } = world;
  return [
    ...(await Array.fromAsync(ledgerProblems(customers, stores))),
    ...(await Array.fromAsync(ofCustomers(world))),
    ...(await Array.fromAsync(
      judged(world, (account, all) => {
        const seen = all.filter(isMain);
        return [...twice(account, seen), ...seen.flatMap((one) => [...unsafe(one), ...released(one, world.lastSeen)])];
      }),
    )),
  ];
}

/** All violated invariants of those that hold once everything has been reconciled. */
export async function leftovers(world: SubscriptionWorld): Promise<string[]> {
  const now = world.clock.now();
  return Array.fromAsync(
    judged(world, (account, seen) => [
      ...misentitled(now, account, seen.filter(isMain)),
      ...seen.flatMap((one) => [...unsettled(one)]),
    ]),
  );
}
