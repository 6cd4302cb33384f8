/** Orders: the states that one can be in, and what the reported state of a payment means for it. */
import type { BillingCycle } from '../../contracts/billing-cycles.ts';
import type { OrderStatus } from '../../contracts/order-statuses.ts';
import type { PixPayment } from '../../gateways/pix-gateway.ts';
import type { CaseKind } from './billing-case.ts';

export const orderCurrency = 'BRL' as const;

interface AnyOrder {
  readonly orderId: string;
  readonly accountId: string;
  readonly status: OrderStatus;
  readonly cents: number;
  readonly credits: number;
  readonly gateway: string;
  /** Until when it can be paid. */
  readonly payableUntil: number;
  readonly createdAt: number;
  /** The payment that paid it, which is not always the one that was created with it; of a subscription, the invoice. */
  readonly paidBy?: string;
  readonly paidAt?: number;
  /** Whether it had expired before it was paid. */
  readonly isLate?: boolean;
  readonly canceledAt?: number;
  readonly refundedAt?: number;
}

export interface PackOrder extends AnyOrder {
  readonly type: 'pix_credit_pack';
  readonly packId: string;
  readonly packName: string;
  /** The payment that was created with the order. */
  readonly chargeId: string;
  readonly qrCode: string;
  readonly qrCodeBase64: string;
}

/** `cents` are the price of the first period, less the discount; `credits` are those of a month. */
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

/** What happens to an order because of a payment. */
export type OrderMove =
  /** It becomes paid, and the account gets its credits. */
  | { readonly kind: 'settle' }
  /** It ends unpaid. */
  | { readonly kind: 'close'; readonly status: 'expired' | 'canceled' | 'failed' }
  /** It becomes refunded, and the account loses the credits that it still has of it. */
  | { readonly kind: 'refund' }
  /** It becomes refunded, and no credits move: it was paid and refunded before the service learned of either. */
  | { readonly kind: 'skip' }
  /** Nothing changes until an operator decides. */
  | { readonly kind: 'case'; readonly caseKind: CaseKind; readonly cents: number };

const flag = (caseKind: CaseKind, cents: number): OrderMove => ({ kind: 'case', caseKind, cents });

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

/** Credits stay, or are withheld, until it is decided; a payment that was returned already has lost them. */
const moveForDisputed = (order: PackOrder, { paymentId, cents }: PixPayment): OrderMove | undefined =>
  order.status === 'refunded' && order.paidBy === paymentId ? undefined : flag('disputed-payment', cents);

/** Undefined if nothing remains to be done: a payment can be reported any number of times, in any order. */
export function moveFor(order: PackOrder, payment: PixPayment, now: number): OrderMove | undefined {
  const { status } = payment;
  if (status === 'pending') return undefined;
  if (status === 'paid') return moveForPaid(order, payment);
  if (status === 'refunded') return moveForRefunded(order, payment);
  if (status === 'disputed') return moveForDisputed(order, payment);
  if (order.status !== 'pending' || order.chargeId !== payment.paymentId) return undefined;
  // The service itself cancels unpaid charges once they are overdue.
  const isOverdue = status === 'canceled' && now >= order.payableUntil;
  return { kind: 'close', status: isOverdue ? 'expired' : status };
}
