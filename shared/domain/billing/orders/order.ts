/** Orders: their states, and what the reported state of a payment means for them. */
import type { BillingCycle } from '../../../contracts/billing-cycles.ts';
import type { OrderStatus } from '../../../contracts/order-statuses.ts';
import type { PixPayment } from '../../../gateways/pix-gateway.ts';
import type { CaseKind } from '../cases/billing-case.ts';

export const orderCurrency = 'BRL' as const;

interface AnyOrder {
  readonly orderId: string;
  readonly accountId: string;
  readonly status: OrderStatus;
  readonly cents: number;
  readonly credits: number;
  readonly gateway: string;
  /** When the order can no longer be paid. */
  readonly payableUntil: number;
  readonly createdAt: number;
  /**
   * The id of the payment that paid the order, which is not always the one created with it; for a subscription, the
   * invoice.
   */
  readonly paidBy?: string;
  readonly paidAt?: number;
  /** Whether the order had expired before it was paid. */
  readonly isLate?: boolean;
  readonly canceledAt?: number;
  readonly refundedAt?: number;
}

export interface PackOrder extends AnyOrder {
  readonly type: 'pix_credit_pack';
  readonly packId: string;
  readonly packName: string;
  /** The id of the payment that was created with the order. */
  readonly chargeId: string;
  readonly qrCode: string;
  readonly qrCodeBase64: string;
}

/** `cents` is the price of the first period after the discount; `credits` is the amount per month. */
export interface SubscriptionOrder extends AnyOrder {
  readonly type: 'subscription';
  readonly planId: string;
  readonly planName: string;
  readonly billingCycle: BillingCycle;
  readonly checkoutId: string;
  readonly checkoutUrl: string;
  readonly couponCode?: string;
}

export type Order = PackOrder | SubscriptionOrder;

/** A change of an order that results from a payment. */
export type OrderMove =
  /** The order becomes paid, and the account gets its credits. */
  | { readonly kind: 'settle' }
  /** The order ends unpaid. */
  | { readonly kind: 'close'; readonly status: 'expired' | 'canceled' | 'failed' }
  /** The order becomes refunded, and the account loses as many of its credits as are left. */
  | { readonly kind: 'refund' }
  /**
   * The order becomes refunded without moving credits, because it was paid and refunded before the service read either.
   */
  | { readonly kind: 'skip' }
  /** An operator must decide; nothing changes until then. */
  | { readonly kind: 'case'; readonly caseKind: CaseKind; readonly cents: number };

export const flag = (caseKind: CaseKind, cents: number) => ({ kind: 'case', caseKind, cents }) as const;

const isAgreed = (order: PackOrder, { cents, currency }: PixPayment): boolean =>
  cents === order.cents && currency === orderCurrency;

const isPayable = ({ status }: PackOrder): boolean => status === 'pending' || status === 'expired';

function moveForPaid(order: PackOrder, payment: PixPayment): OrderMove | undefined {
  const { paymentId, cents, refundedCents } = payment;
  if (order.paidBy === paymentId) {
    return order.status === 'paid' && refundedCents > 0 ? flag('partial-refund', refundedCents) : undefined;
  }
  if (order.paidBy !== undefined) return flag('second-payment', cents);
  if (!isPayable(order)) return flag('payment-of-canceled-order', cents);
  if (!isAgreed(order, payment)) return flag('wrong-amount', cents);
  return { kind: 'settle' };
}

function moveForRefunded(order: PackOrder, payment: PixPayment): OrderMove | undefined {
  const { paymentId } = payment;
  if (order.paidBy === paymentId) return order.status === 'paid' ? { kind: 'refund' } : undefined;
  const wouldHavePaid = isPayable(order) && order.chargeId === paymentId && isAgreed(order, payment);
  return wouldHavePaid ? { kind: 'skip' } : undefined;
}

/** The state transition for a disputed payment: credits are neither added nor taken until the dispute is decided. */
const moveForDisputed = (order: PackOrder, { paymentId, cents }: PixPayment): OrderMove | undefined =>
  order.status === 'refunded' && order.paidBy === paymentId ? undefined : flag('disputed-payment', cents);

/**
 * The next state transition; undefined if nothing remains to be done. A payment can be reported any number of times, in
 * any order.
 */
export function moveFor(order: PackOrder, payment: PixPayment, now: number): OrderMove | undefined {
  const { status } = payment;
  if (status === 'pending') return undefined;
  if (status === 'paid') return moveForPaid(order, payment);
  if (status === 'refunded') return moveForRefunded(order, payment);
  if (status === 'disputed') return moveForDisputed(order, payment);
  if (order.status !== 'pending' || order.chargeId !== payment.paymentId) return undefined;
  // The service itself cancels unpaid charges when they are overdue.
  const isOverdue = status === 'canceled' && now >= order.payableUntil;
  return { kind: 'close', status: isOverdue ? 'expired' : status };
}
