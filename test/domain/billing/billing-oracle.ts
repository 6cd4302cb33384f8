/** Invariants of orders, credits and cases, derived from what the gateway knows about payments. */
import type { LedgerRow } from '../../../shared/domain/accounts/ledger.ts';
import type { BillingCase } from '../../../shared/domain/billing/cases/billing-case.ts';
import type { PackOrder } from '../../../shared/domain/billing/orders/order.ts';
import type { Stores } from '../../../shared/domain/stores.ts';
import type { ActualPayment } from '../../support/fake-pix-gateway.ts';
import type { BillingWorld } from './billing-world.ts';

interface Seen {
  readonly order: PackOrder | undefined;
  readonly payments: readonly ActualPayment[];
  readonly rows: readonly LedgerRow[];
  readonly cases: readonly BillingCase[];
}

const isRight = (order: PackOrder, { cents, currency }: ActualPayment): boolean =>
  cents === order.cents && currency === 'BRL';

const sum = (rows: readonly LedgerRow[]): number => rows.reduce((total, { amount }) => total + amount, 0);

/** Invariants that hold at any moment. */
function* unsafe({ order, payments, rows }: Seen): Generator<string> {
  if (!order) {
    if (rows.length > 0) yield 'credits of an order that does not exist';
    return;
  }
  const added = rows.filter(({ reason }) => reason === 'purchase');
  const taken = rows.filter(({ reason }) => reason === 'refund');
  if (added.length > 1) yield 'an order is credited twice';
  if (added.some(({ amount }) => amount !== order.credits)) yield 'an order brings other credits than its own';
  if (taken.length > 0 && !payments.some(({ wasReturned }) => wasReturned)) yield 'a dispute took credits';
  if (sum(taken) < -sum(added)) yield 'more credits are taken back than were added';
  const isPaid = payments.some((payment) => payment.wasPaid && isRight(order, payment));
  if (added.length > 0 && !isPaid) yield 'an order is credited without the agreed payment';
  if ((added.length > 0 || order.status === 'refunded') !== (order.paidBy !== undefined))
    yield 'credits without a paid order, or a paid order without credits';
  if (order.status === 'paid' && (added.length !== 1 || taken.length > 0))
    yield 'a paid order does not have its credits';
}

/** Requires a case for each payment that the service must not decide about. */
function* uncovered({ order, payments, cases }: Seen): Generator<string> {
  const has = (paymentId: string, ...kinds: readonly string[]) =>
    cases.some((one) => one.paymentId === paymentId && kinds.includes(one.kind));
  for (const payment of payments) {
    const { paymentId, status, refundedCents } = payment;
    const isOwn = order?.paidBy === paymentId;
    const isReturned = isOwn && order.status === 'refunded';
    if (status === 'disputed' && !isReturned && !has(paymentId, order ? 'disputed-payment' : 'payment-without-order'))
      yield 'a dispute without a case';
    if (status !== 'paid') continue;
    if (isReturned && !has(paymentId, 'payment-after-refund')) yield 'a payment that was won back without a case';
    const wrong = order && !isRight(order, payment) ? ['wrong-amount'] : [];
    const kinds = order ? ['second-payment', 'payment-of-canceled-order', ...wrong] : ['payment-without-order'];
    if (!isOwn && !has(paymentId, ...kinds)) yield `money without credits or a case`;
    if (isOwn && !isReturned && refundedCents > 0 && !has(paymentId, 'partial-refund'))
      yield 'a partial refund without a case';
  }
}

/**
 * The first payment with the agreed amount must be credited, unless the order's own charge was canceled or has failed.
 */
function* uncredited(order: PackOrder, payments: readonly ActualPayment[]): Generator<string> {
  const { status, paidBy, chargeId } = order;
  const isClosed = status === 'canceled' || status === 'failed';
  const charge = payments.find(({ paymentId }) => paymentId === chargeId);
  if (isClosed && charge?.status !== status) yield 'an order is closed whose charge is not';
  const isPaid = payments.some((payment) => payment.status === 'paid' && isRight(order, payment));
  if (isPaid && !isClosed && paidBy === undefined) yield 'an order that was paid as agreed has no credits';
}

/** Invariants that hold once everything has been reconciled. */
function* unsettled(seen: Seen): Generator<string> {
  const { order, payments, rows, cases } = seen;
  if (payments.some(({ status }) => status === 'pending')) yield 'a charge can still be paid';
  yield* uncovered(seen);
  if (!order) return;
  yield* uncredited(order, payments);
  if (order.status === 'pending') yield 'an order waits for ever';
  const payment = payments.find(({ paymentId }) => paymentId === order.paidBy);
  if (order.paidBy !== undefined && !payment) yield 'an order was paid by nothing';
  if (order.status === 'paid' && payment?.status === 'refunded')
    yield 'an order counts as paid whose money was returned';
  if (order.status !== 'refunded') return;
  const missing = cases.find(({ kind }) => kind === 'used-credits')?.missingCredits ?? 0;
  if (sum(rows) !== missing) yield 'returned money leaves credits that no case mentions';
}

/** Invariants of any account that hold at any moment. */
export async function* ledgerProblems(
  accountIds: readonly string[],
  stores: Pick<Stores, 'accounts' | 'ledger'>,
): AsyncGenerator<string> {
  for (const accountId of accountIds) {
    const [account, total] = await Promise.all([stores.accounts.find(accountId), stores.ledger.sum(accountId)]);
    if (!account || account.balance < 0) yield 'a balance is negative';
    if (account?.balance !== total) yield 'a balance is not the sum of its ledger';
  }
}

async function* ofOrders(
  world: BillingWorld,
  cases: readonly BillingCase[],
  judge: (seen: Seen) => Iterable<string>,
): AsyncGenerator<string> {
  const { stores, truth, buyers } = world;
  const range = { limit: 1000, offset: 0 };
  const rows = (await Promise.all(buyers.map((accountId) => stores.ledger.list(accountId, range)))).flat();
  for (const orderId of new Set([...truth.payments.values()].map((payment) => payment.orderId ?? ''))) {
    const order = await stores.orders.findPack(orderId);
    const isOwn = (one: { readonly orderId?: string }) => one.orderId === orderId;
    yield* judge({
      order,
      payments: truth.paymentsOf(orderId),
      rows: rows.filter(isOwn),
      cases: cases.filter(isOwn),
    });
  }
}

/** Checks that promised orders exist, and that no idempotency key was charged twice. */
async function* ofBuyers({ promised, charged, stores, truth }: BillingWorld): AsyncGenerator<string> {
  for (const orderId of promised) if (!(await stores.orders.find(orderId))) yield 'a promised order does not exist';
  for (const orderIds of charged.values()) {
    const made = [...orderIds].filter((orderId) => truth.paymentsOf(orderId).length > 0);
    if (made.length > 1) yield 'a key is charged twice';
  }
}

/** Checks that no credits of returned payments are missing but those that open and completed tasks have used. */
async function* ofReturns({ buyers, stores, tasks }: BillingWorld): AsyncGenerator<string> {
  const cases = await stores.cases.list({ onlyOpen: false });
  // If a returned payment was paid after all, operators decide about it, even if it is returned again.
  const wonBack = new Set(cases.filter(({ kind }) => kind === 'payment-after-refund').map((one) => one.paymentId));
  for (const accountId of buyers) {
    const open = cases.filter(({ resolvedAt }) => resolvedAt === undefined);
    const own = open.filter((one) => one.accountId === accountId && !wonBack.has(one.paymentId));
    const missing = own.reduce((total, { missingCredits = 0 }) => total + missingCredits, 0);
    const spent = (await stores.ledger.list(accountId, { limit: 1000, offset: 0 })).filter(
      ({ reason, taskId }) => reason === 'generation' && taskId === undefined,
    );
    if (missing > (await tasks.used(accountId)) - sum(spent)) yield 'a task got credits back that are missing';
    const { openTasks, refundClaims } = (await stores.accounts.find(accountId)) ?? {};
    const claimed = refundClaims?.flatMap(({ taskIds }) => taskIds) ?? [];
    if (claimed.some((taskId) => !openTasks?.includes(taskId))) yield 'the refund of a task is claimed that has ended';
  }
}

/** All violated invariants of those that hold at any moment. */
export async function violations(world: BillingWorld): Promise<string[]> {
  return [
    ...(await Array.fromAsync(ledgerProblems(world.buyers, world.stores))),
    ...(await Array.fromAsync(ofOrders(world, [], unsafe))),
    ...(await Array.fromAsync(ofBuyers(world))),
    ...(await Array.fromAsync(ofReturns(world))),
  ];
}

/** All violated invariants of those that hold once everything has been reconciled. */
export async function leftovers(world: BillingWorld): Promise<string[]> {
  const cases = await world.stores.cases.list({ onlyOpen: false });
  return Array.fromAsync(ofOrders(world, cases, unsettled));
}
