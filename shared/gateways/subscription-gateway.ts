/** The port to who takes payments for subscriptions by a hosted checkout: what the service asks for, and what is reported of each subscription. */
import type { BillingCycle } from '../contracts/billing-cycles.ts';
import type { ChangedSince } from './changed-since.ts';
import type { PaymentNotification } from './pix-gateway.ts';

export interface Discount {
  readonly code: string;
  /** What it takes off the price of a period. */
  readonly off: { readonly percent: number } | { readonly cents: number };
  /** Whether it applies to the first period only. */
  readonly duration: 'once' | 'forever';
}

export interface CheckoutRequest {
  /** Also the idempotency key: the same order gets the same checkout, however often it is requested. */
  readonly orderId: string;
  readonly planId: string;
  readonly planName: string;
  readonly billingCycle: BillingCycle;
  /** The price of a period without the discount. */
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
  /** The price of the first period, less the discount. */
  readonly cents: number;
  readonly currency: string;
}

/** The gateway has done nothing. */
export interface CheckoutRefusal {
  /** For the log. */
  readonly refusal: string;
}

/** The order had been checked out before with other contents; that checkout may have been made, and no other one is. */
export interface CheckoutConflict {
  readonly conflict: true;
}

export interface PaidInvoice {
  readonly invoiceId: string;
  /** What was paid. */
  readonly cents: number;
  readonly currency: string;
  readonly periodStart: number;
  readonly periodEnd: number;
  readonly paidAt: number;
  /** What was returned of it: all of it if it was charged back. */
  readonly refundedCents: number;
  /** Whether the whole amount was returned or charged back. */
  readonly isRefunded: boolean;
  /** Whether the customer's bank wants it back, and nothing has been decided. */
  readonly isDisputed: boolean;
}

export interface ReportedSubscription {
  readonly subscriptionId: string;
  /** `unpaid`: nothing has been paid yet. */
  readonly status: 'unpaid' | 'active' | 'past_due' | 'canceled';
  /** Whether it ends with its period. */
  readonly isEnding: boolean;
  /** The paid ones, oldest first. */
  readonly invoices: readonly PaidInvoice[];
}

export interface SubscriptionReport {
  /** What `read` takes to report the same again. */
  readonly subject: string;
  /** Undefined if it is for none of this service's orders. */
  readonly orderId: string | undefined;
  readonly createdAt: number;
  readonly checkout: 'open' | 'completed' | 'expired';
  /** Undefined until the checkout is completed. */
  readonly subscription?: ReportedSubscription;
}

/** What can be believed of an event: that something happened to a subject, which must be read from the gateway. */
export interface SubscriptionEvent {
  readonly eventId: string;
  readonly subject: string;
}

/** All of them throw an Error if the gateway does not respond as documented; what was done is then unknown. */
export interface SubscriptionGateway {
  readonly name: string;
  createCheckout(request: CheckoutRequest): Promise<Checkout | CheckoutRefusal | CheckoutConflict>;
  /** Undefined if the gateway has no such subject: a checkout, subscription, invoice or payment. */
  read(subject: string): Promise<SubscriptionReport | undefined>;
  /** The checkout can no longer be completed. Does nothing if it is completed or expired. */
  expireCheckout(checkoutId: string): Promise<void>;
  /** Ends it now, or with its paid period. Does nothing if it has ended. */
  cancel(subscriptionId: string, when: 'now' | 'period-end'): Promise<void>;
  readonly changedSince: ChangedSince<SubscriptionReport>;
  /** Undefined unless the gateway itself has sent it, a short time ago; `irrelevant` if it says nothing of a subscription. */
  readEvent(notification: PaymentNotification): Promise<SubscriptionEvent | 'irrelevant' | undefined>;
}
