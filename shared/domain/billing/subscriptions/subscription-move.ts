/**
 * Determines what the reported state of a subscription means for its order, its account and itself, one state
 * transition at a time.
 */
import type { PaidInvoice, ReportedSubscription, SubscriptionReport } from '../../../gateways/subscription-gateway.ts';
import type { Account } from '../../accounts/account.ts';
import { isClosed as isAccountClosed } from '../../accounts/closed-account.ts';
import type { CaseKind } from '../cases/billing-case.ts';
import { orderCurrency, type SubscriptionOrder } from '../orders/order.ts';
import {
  featuresEndAt,
  type Invoice,
  isForgotten,
  isOverdue,
  nextGrantAt,
  type Subscription,
  wasActive,
} from './subscription.ts';

/** The stored state that transitions depend on. */
export interface SubscriptionState {
  readonly order: SubscriptionOrder;
  readonly subscription: Subscription;
  readonly account: Account;
  readonly invoices: readonly Invoice[];
}

export type SubscriptionMove =
  /** The checkout was not completed in time. */
  | { readonly kind: 'expire' }
  /** The first invoice was paid: the account gets the plan and its first credits. */
  | { readonly kind: 'activate'; readonly invoice: PaidInvoice }
  /**
   * The first invoice was paid, but the subscription must not become active: it is canceled at the gateway, and an
   * operator decides.
   */
  | { readonly kind: 'reject'; readonly invoice: PaidInvoice; readonly caseKind: CaseKind }
  /** A further period was paid: the account gets its first credits. */
  | { readonly kind: 'renew'; readonly invoice: PaidInvoice; readonly isOverlapping: boolean }
  /** A payment that has no effect until an operator decides. */
  | { readonly kind: 'flag'; readonly invoice: PaidInvoice; readonly caseKind: CaseKind }
  /** An invoice was refunded: the account loses its credits, and the plan if it was the last invoice. */
  | {
      readonly kind: 'refund';
      readonly invoice: PaidInvoice;
      readonly known: Invoice | undefined;
      readonly isLast: boolean;
    }
  /** Part of an invoice was refunded. */
  | { readonly kind: 'return-part'; readonly invoice: PaidInvoice; readonly known: Invoice }
  /** Less of an invoice is returned than before, because a refund failed. */
  | { readonly kind: 'return-less'; readonly invoice: PaidInvoice; readonly known: Invoice }
  /** A dispute of an invoice has begun, or was decided in the seller's favor. */
  | { readonly kind: 'dispute'; readonly invoice: PaidInvoice; readonly known: Invoice }
  /** A refunded invoice, whose credits were taken back, is paid after all: an operator decides. */
  | { readonly kind: 'win'; readonly invoice: PaidInvoice; readonly known: Invoice }
  /** The subscription was canceled at the gateway before anything was paid. */
  | { readonly kind: 'give-up' }
  /** The subscription was canceled at the gateway; its features last until the end of the paid period. */
  | { readonly kind: 'end' }
  /** The subscription or its checkout is closed at the gateway, as it should be. */
  | { readonly kind: 'close' }
  /** The subscription's status at the gateway has changed, or whether it ends with its period. */
  | { readonly kind: 'follow'; readonly status: 'active' | 'past_due'; readonly isEnding: boolean }
  /** Another month of an invoice's period has begun: the account gets its credits. */
  | { readonly kind: 'grant'; readonly invoice: Invoice }
  /** The subscription's features end. */
  | { readonly kind: 'lapse' }
  /** Nothing is due; the subscription is checked again later. */
  | { readonly kind: 'postpone' };

/** Whether an invoice's period was paid and not refunded. */
export const isInForce = ({ granted, refundedAt }: Invoice): boolean => granted > 0 && refundedAt === undefined;

type Period = Pick<Invoice, 'periodStart' | 'periodEnd'>;

/**
 * Whether two periods are the same renewal. Different periods may overlap, because the renewal date can be changed at
 * the gateway.
 */
const isSamePeriod = (one: Period, other: Period): boolean =>
  one.periodStart === other.periodStart && one.periodEnd === other.periodEnd;

export const areOverlapping = (one: Period, other: Period): boolean =>
  one.periodStart < other.periodEnd && other.periodStart < one.periodEnd;

function moveForFirst({ order, account }: SubscriptionState, invoice: PaidInvoice): SubscriptionMove {
  const reject = (caseKind: CaseKind) => ({ kind: 'reject', invoice, caseKind }) as const;
  if (isAccountClosed(account)) return reject('payment-of-canceled-order');
  if (invoice.cents !== order.cents || invoice.currency !== orderCurrency) return reject('wrong-amount');
  return account.activeSubscription === undefined ? { kind: 'activate', invoice } : reject('second-subscription');
}

function moveForNext({ subscription, invoices }: SubscriptionState, invoice: PaidInvoice): SubscriptionMove {
  const flag = (caseKind: CaseKind) => ({ kind: 'flag', invoice, caseKind }) as const;
  const { cents, discountedCents } = subscription;
  const isAgreed = invoice.cents === cents || invoice.cents === discountedCents;
  if (!isAgreed || invoice.currency !== orderCurrency) return flag('wrong-amount');
  const others = invoices.filter(isInForce);
  return others.some((other) => isSamePeriod(invoice, other))
    ? flag('second-payment')
    : { kind: 'renew', invoice, isOverlapping: others.some((other) => areOverlapping(invoice, other)) };
}

/** The state transition for a recorded invoice that is not reported as fully refunded. */
function moveForKnown(known: Invoice, invoice: PaidInvoice): SubscriptionMove | undefined {
  if (known.refundedAt !== undefined) return { kind: 'win', invoice, known };
  if (invoice.refundedCents > known.refundedCents) return { kind: 'return-part', invoice, known };
  if (invoice.refundedCents < known.refundedCents) return { kind: 'return-less', invoice, known };
  return invoice.isDisputed === (known.isDisputed ?? false) ? undefined : { kind: 'dispute', invoice, known };
}

/** Whether the report behind the transition may be outdated, so that the transition would undo a newer state. */
export const isDoubtful = (move: SubscriptionMove): boolean =>
  move.kind === 'dispute' ||
  move.kind === 'return-less' ||
  move.kind === 'win' ||
  (move.kind === 'refund' && move.known?.wins !== undefined);

function moveForInvoice(state: SubscriptionState, invoice: PaidInvoice): SubscriptionMove | undefined {
  const { account, order, subscription, invoices } = state;
  const known = invoices.find(({ invoiceId }) => invoiceId === invoice.invoiceId);
  // An invoice of zero cents cannot be refunded.
  if (invoice.isRefunded && invoice.cents > 0) {
    if (known?.refundedAt !== undefined) return undefined;
    const isPeriod = known ? known.granted > 0 : moveForNext(state, invoice).kind === 'renew';
    const isLast = isPeriod && invoice.periodEnd >= (subscription.currentPeriodEnd ?? 0);
    return { kind: 'refund', invoice, known, isLast };
  }
  if (known) return moveForKnown(known, invoice);
  if (wasActive(subscription) && !isAccountClosed(account)) return moveForNext(state, invoice);
  if (order.status === 'pending' || order.status === 'expired') return moveForFirst(state, invoice);
  return { kind: 'flag', invoice, caseKind: 'payment-of-canceled-order' };
}

function moveToFollow(
  { subscription }: SubscriptionState,
  reported: ReportedSubscription,
): SubscriptionMove | undefined {
  const { status, isEnding = false, isClosed = false } = subscription;
  if (reported.status === 'canceled') {
    if (status === 'pending') return { kind: 'give-up' };
    if (status === 'active' || status === 'past_due') return { kind: 'end' };
    return isClosed ? undefined : { kind: 'close' };
  }
  if (reported.status === 'unpaid' || (status !== 'active' && status !== 'past_due')) return undefined;
  const isSame = reported.status === status && reported.isEnding === isEnding;
  return isSame ? undefined : { kind: 'follow', status: reported.status, isEnding: reported.isEnding };
}

/** The state transition that follows from the time alone, whatever the gateway would report. */
export function moveInTime(
  { account, subscription, invoices }: SubscriptionState,
  now: number,
): SubscriptionMove | undefined {
  for (const invoice of isAccountClosed(account) ? [] : invoices) {
    if ((nextGrantAt(subscription, invoice) ?? Number.POSITIVE_INFINITY) <= now) return { kind: 'grant', invoice };
  }
  if ((featuresEndAt(subscription) ?? Number.POSITIVE_INFINITY) <= now) return { kind: 'lapse' };
  return (subscription.checkAt ?? Number.POSITIVE_INFINITY) <= now ? { kind: 'postpone' } : undefined;
}

function moveForCheckout(
  { order, subscription }: SubscriptionState,
  report: SubscriptionReport | undefined,
  now: number,
): SubscriptionMove | undefined {
  const isOver = report ? report.checkout === 'expired' : isOverdue(subscription, now);
  if (!isOver || report?.subscription) return undefined;
  // A subscription that has an id at the gateway may be paid, even if it cannot be read.
  const mayBePaid = subscription.gatewayId !== undefined;
  if (order.status === 'pending' && (!mayBePaid || isForgotten(subscription, now))) return { kind: 'expire' };
  if (mayBePaid) return undefined;
  const mustClose = subscription.status === 'abandoned' || subscription.status === 'canceled';
  return mustClose && !subscription.isClosed ? { kind: 'close' } : undefined;
}

/**
 * The next state transition; undefined if nothing remains to be done. A state can be reported any number of times, in
 * any order. Without a report, the gateway does not know the subscription, and only time causes transitions.
 */
export function moveFor(
  state: SubscriptionState,
  report: SubscriptionReport | undefined,
  now: number,
): SubscriptionMove | undefined {
  const reported = report?.subscription;
  for (const invoice of reported?.invoices ?? []) {
    const move = moveForInvoice(state, invoice);
    if (move) return move;
  }
  return (reported ? moveToFollow(state, reported) : moveForCheckout(state, report, now)) ?? moveInTime(state, now);
}

/** The action due at the gateway when no state transition is left. */
export function actionDueAtGateway(
  { order, subscription, account }: SubscriptionState,
  { checkout, subscription: reported }: SubscriptionReport,
  now: number,
): 'expire-checkout' | 'cancel' | undefined {
  if (reported) {
    const isOver = subscription.status === 'abandoned' || subscription.status === 'canceled';
    return isOver && reported.status !== 'canceled' ? 'cancel' : undefined;
  }
  const isWanted =
    order.status === 'pending' && account.activeSubscription === undefined && !isOverdue(subscription, now);
  return checkout === 'open' && !isWanted ? 'expire-checkout' : undefined;
}
