import type { CheckoutRequest, PaidInvoice, SubscriptionReport } from '../../shared/gateways/subscription-gateway.ts';
import { testIds } from './test-table.ts';

const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** How long after the end of a period the next period is charged. */
const chargeDelayMs = hourMs;
/** How often a failed renewal is charged again, and for how long. */
const retryMs = dayMs;
const retriesMs = 21 * dayMs;
/** How long a completed checkout may wait for its payment. */
const unpaidMs = 23 * hourMs;

/** The same time of the day, the given number of months later; the last day of that month if it is shorter. */
export function monthsLater(at: number, months: number): number {
  const from = new Date(at);
  const first = Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months, 1);
  const lastDay = new Date(first);
  lastDay.setUTCMonth(lastDay.getUTCMonth() + 1, 0);
  return first + (Math.min(from.getUTCDate(), lastDay.getUTCDate()) - 1) * dayMs + (at % dayMs);
}

/** The outcome of charging the customer's card. */
export type Card = 'works' | 'fails' | 'pays too little';

export interface ActualSubscription {
  readonly subscriptionId: string;
  readonly status: 'unpaid' | 'active' | 'past_due' | 'canceled';
  readonly isEnding: boolean;
  readonly invoices: readonly PaidInvoice[];
  /** When the checkout was completed. */
  readonly startedAt: number;
  /** The time from which the subscription's periods are counted, and how many periods there were before that time. */
  readonly anchor: { readonly at: number; readonly index: number };
  readonly card: Card;
}

export interface ActualCheckout {
  readonly checkoutId: string;
  readonly request: CheckoutRequest;
  readonly createdAt: number;
  readonly changedAt: number;
  readonly status: 'open' | 'completed' | 'expired';
  readonly subscription?: ActualSubscription;
  /** Whether the checkout is another one than that of the order. */
  readonly isStray?: true;
}

export interface Payment {
  readonly cents?: number;
  readonly currency?: string;
  /** Whether the checkout is completed, but its payment has not arrived yet. */
  readonly isWaiting?: boolean;
}

/** The price of a period, by its number after the first. */
export function agreedCents({ cents, discount }: CheckoutRequest, index: number): number {
  if (!discount || (index > 0 && discount.duration === 'once')) return cents;
  const { off } = discount;
  // Half a cent is rounded in the customer's favor.
  return 'percent' in off ? cents - Math.floor((cents * off.percent + 50) / 100) : Math.max(0, cents - off.cents);
}

const monthsOf = ({ billingCycle }: CheckoutRequest): number => (billingCycle === 'annual' ? 12 : 1);

export const currency = 'BRL';

/** When a period begins; the first one has the number 0. */
const startOf = ({ anchor }: ActualSubscription, request: CheckoutRequest, index: number): number =>
  monthsLater(anchor.at, (index - anchor.index) * monthsOf(request));

/**
 * The checkout after the next change that happens without anyone's action by the given time; undefined if there is
 * none.
 */
export function afterwards(checkout: ActualCheckout, now: number): ActualCheckout | undefined {
  const { request, status, subscription } = checkout;
  if (status === 'open' && now >= request.expiresAt)
    return { ...checkout, status: 'expired', changedAt: request.expiresAt };
  if (!subscription || subscription.status === 'canceled') return undefined;
  const ending = (at: number): ActualCheckout | undefined =>
    now >= at
      ? {
          ...checkout,
          subscription: { ...subscription, status: 'canceled' },
          changedAt: Math.max(at, checkout.changedAt),
        }
      : undefined;
  const { card, invoices, isEnding, startedAt } = subscription;
  if (subscription.status === 'unpaid') return ending(startedAt + unpaidMs);
  const end = startOf(subscription, request, invoices.length);
  if (isEnding) return ending(end);
  const chargedAt = subscription.status === 'active' ? end + chargeDelayMs : checkout.changedAt + retryMs;
  if (chargedAt > now) return undefined;
  if (card === 'fails') {
    if (chargedAt >= end + retriesMs) return ending(chargedAt);
    return { ...checkout, subscription: { ...subscription, status: 'past_due' }, changedAt: chargedAt };
  }
  return paid(checkout, chargedAt, card === 'works' ? {} : { cents: 1 });
}

/** The checkout after the next period was paid. */
export function paid(checkout: ActualCheckout, at: number, given: Payment): ActualCheckout {
  const { request, subscription } = checkout;
  if (!subscription) throw new Error('nothing to pay for');
  const { invoices } = subscription;
  const invoice: PaidInvoice = {
    invoiceId: testIds.next(),
    cents: given.cents ?? agreedCents(request, invoices.length),
    currency: given.currency ?? currency,
    periodStart: startOf(subscription, request, invoices.length),
    periodEnd: startOf(subscription, request, invoices.length + 1),
    paidAt: at,
    refundedCents: 0,
    isRefunded: false,
    isDisputed: false,
  };
  const active = { ...subscription, status: 'active', invoices: [...invoices, invoice] } as const;
  return { ...checkout, subscription: active, changedAt: at };
}

export const reportOf = ({
  checkoutId,
  request,
  createdAt,
  status,
  subscription,
}: ActualCheckout): SubscriptionReport => {
  const report = { subject: checkoutId, orderId: request.orderId, createdAt, checkout: status };
  if (!subscription) return report;
  const { card: _card, startedAt: _startedAt, anchor: _anchor, ...reported } = subscription;
  return { ...report, subscription: reported };
};
