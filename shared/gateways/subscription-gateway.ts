/** The port to gateways for subscription payments with a hosted checkout. */
import type { BillingCycle } from '../contracts/billing-cycles.ts';
import type { ChangedSince } from './changed-since.ts';
import type { PaymentNotification } from './pix-gateway.ts';

export interface Discount {
  readonly code: string;
  /** The discount per period. */
  readonly off: { readonly percent: number } | { readonly cents: number };
  /** Whether the discount applies to the first period only. */
  readonly duration: 'once' | 'forever';
}

export interface CheckoutRequest {
  /** The order's id, which is also the idempotency key: repeated requests for an order create one checkout. */
  readonly orderId: string;
  readonly planId: string;
  readonly planName: string;
  readonly billingCycle: BillingCycle;
  /** The price of a period before the discount. */
  readonly cents: number;
  readonly discount?: Discount;
  readonly email: string;
  readonly expiresAt: number;
}

/** A page on which the subscription can be paid. */
export interface Checkout {
  readonly checkoutId: string;
  readonly url: string;
  readonly orderId: string;
  /** The price of the first period after the discount. */
  readonly cents: number;
  readonly currency: string;
}

/** The gateway refused and did nothing. */
export interface CheckoutRefusal {
  /** The reason for the refusal, for the log. */
  readonly refusal: string;
}

/** The order already has, or may have, a checkout with other contents, so no further one is created. */
export interface CheckoutConflict {
  readonly conflict: true;
}

export interface PaidInvoice {
  readonly invoiceId: string;
  /** The amount that was paid. */
  readonly cents: number;
  readonly currency: string;
  readonly periodStart: number;
  readonly periodEnd: number;
  readonly paidAt: number;
  /** The refunded amount; the whole amount if it was charged back. */
  readonly refundedCents: number;
  /** Whether the whole amount was refunded or charged back. */
  readonly isRefunded: boolean;
  /** Whether the customer's bank demands the amount back, and the dispute is undecided. */
  readonly isDisputed: boolean;
}

export interface ReportedSubscription {
  readonly subscriptionId: string;
  /** `unpaid`: nothing has been paid yet. */
  readonly status: 'unpaid' | 'active' | 'past_due' | 'canceled';
  /** Whether the subscription ends with its current period. */
  readonly isEnding: boolean;
  /** The paid invoices, oldest first. */
  readonly invoices: readonly PaidInvoice[];
}

export interface SubscriptionReport {
  /** The id with which `read` returns the same report again. */
  readonly subject: string;
  /** The order's id; undefined if the subscription is not for an order of this service. */
  readonly orderId: string | undefined;
  readonly createdAt: number;
  readonly checkout: 'open' | 'completed' | 'expired';
  /** The subscription; undefined until the checkout is completed. */
  readonly subscription?: ReportedSubscription;
}

/** The trustworthy part of an event: something happened to a subject, which must be read from the gateway. */
export interface SubscriptionEvent {
  readonly eventId: string;
  readonly subject: string;
}

/** All functions throw an Error if the gateway does not respond as documented; it is then unknown what was done. */
export interface SubscriptionGateway {
  readonly name: string;
  createCheckout(request: CheckoutRequest): Promise<Checkout | CheckoutRefusal | CheckoutConflict>;
  /** Reads a subject (a checkout, subscription, invoice or payment); undefined if the gateway does not have it. */
  read(subject: string): Promise<SubscriptionReport | undefined>;
  /** Closes a checkout, so that it can no longer be completed. Does nothing if it is completed or expired. */
  expireCheckout(checkoutId: string): Promise<void>;
  /** Cancels a subscription now or at the end of its paid period. Does nothing if it has ended. */
  cancel(subscriptionId: string, when: 'now' | 'period-end'): Promise<void>;
  readonly changedSince: ChangedSince<SubscriptionReport>;
  /**
   * Verifies a notification; undefined unless the gateway itself sent it recently, `irrelevant` if it is not about a
   * subscription, `unreadable` if it may be but has an unknown form.
   */
  readEvent(notification: PaymentNotification): Promise<SubscriptionEvent | 'irrelevant' | 'unreadable' | undefined>;
}
