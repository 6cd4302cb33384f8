/** Subscriptions and their invoices: the states that one can be in, and when something is due. */
import type { BillingCycle } from '../../contracts/billing-cycles.ts';
import type { Feature } from '../../contracts/features.ts';
import { addMonths } from '../../platform/calendar.ts';

/** `abandoned`: it was never active, and its checkout or payment has been rejected or has expired. Accounts do not see it. */
export const storedSubscriptionStatuses = ['pending', 'active', 'past_due', 'canceled', 'abandoned'] as const;
type StoredSubscriptionStatus = (typeof storedSubscriptionStatuses)[number];

export interface Subscription {
  /** The id of its order. */
  readonly subscriptionId: string;
  readonly accountId: string;
  /** Counts its changes: each holds only if there was none since the subscription was read. */
  readonly version: number;
  readonly status: StoredSubscriptionStatus;
  readonly planId: string;
  readonly planName: string;
  readonly billingCycle: BillingCycle;
  readonly creditsPerMonth: number;
  /** What the plan included when it was ordered. */
  readonly features: readonly Feature[];
  /** The price of a renewal. */
  readonly cents: number;
  /** The price of a renewal while the coupon applies, if it applies to renewals. */
  readonly discountedCents?: number;
  readonly gateway: string;
  readonly checkoutId: string;
  /** Its id at the gateway. */
  readonly gatewayId?: string;
  /** Until when its checkout can be completed. */
  readonly payableUntil: number;
  readonly createdAt: number;
  /** The last period that was paid. */
  readonly currentPeriodStart?: number;
  readonly currentPeriodEnd?: number;
  /** Whether it ends with its period. */
  readonly isEnding?: boolean;
  readonly canceledAt?: number;
  /** When its features ended; absent while they are in force. */
  readonly lapsedAt?: number | undefined;
  /** Whether it can no longer be paid at the gateway. */
  readonly isClosed?: boolean | undefined;
  /** When it must be looked at again; absent if nothing can be due any more. */
  readonly checkAt?: number | undefined;
  /** When it is deleted; absent while anything can become of it. */
  readonly deleteAt?: number | undefined;
}

/** An invoice that was paid. */
export interface Invoice {
  readonly invoiceId: string;
  readonly cents: number;
  readonly periodStart: number;
  readonly periodEnd: number;
  readonly paidAt: number;
  /** The number of months whose credits were added because of it; 0 if it could not be credited. */
  readonly granted: number;
  /** The part of it that operators know to have been returned. */
  readonly refundedCents: number;
  readonly refundedAt?: number | undefined;
  readonly isDisputed?: boolean | undefined;
  /** How often it has been disputed, and was paid after all when it had been returned. */
  readonly disputes?: number | undefined;
  readonly wins?: number | undefined;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** How long a payment that was made in time may be on its way. */
const graceMs = 2 * minuteMs;

/** How long the features outlast a period: it is renewed an hour after its end, and a failed payment is repeated. */
const renewalDays = 3;

/** After which something that must happen at the gateway is tried, or looked at, again. */
const retryMs = 10 * minuteMs;

const monthsOf = ({ billingCycle }: Pick<Subscription, 'billingCycle'>): number => (billingCycle === 'annual' ? 12 : 1);

/** Far longer than a gateway still reports a payment of a checkout: one that comes later is a case without an order. */
const abandonedKeptMs = 30 * dayMs;

/** When nobody needs it any more: it was never paid, and no longer can be. */
export const deletableAt = (
  { status, isClosed, payableUntil }: Subscription,
  invoices: readonly Invoice[],
): number | undefined =>
  status === 'abandoned' && isClosed && invoices.length === 0 ? payableUntil + abandonedKeptMs : undefined;

/** Whether the checkout should have been completed by now. */
export const isOverdue = ({ payableUntil }: Pick<Subscription, 'payableUntil'>, now: number): boolean =>
  now >= payableUntil + graceMs;

/** How long a first payment may take, and far longer: gateways wait a day for it. */
const firstPaymentMs = 7 * dayMs;

/** Whether a checkout that was completed would have been paid by now, or have ended at a gateway that still had it. */
export const isForgotten = ({ payableUntil }: Pick<Subscription, 'payableUntil'>, now: number): boolean =>
  now >= payableUntil + firstPaymentMs;

/** Whether it was active at any time. */
export const wasActive = ({ status }: Pick<Subscription, 'status'>): boolean =>
  status !== 'pending' && status !== 'abandoned';

/** When its features end unless something is paid; undefined if they have ended. */
export function featuresEndAt(subscription: Subscription): number | undefined {
  const { status, isEnding, currentPeriodEnd, lapsedAt } = subscription;
  if (lapsedAt !== undefined || currentPeriodEnd === undefined || !wasActive(subscription)) return undefined;
  return status === 'canceled' || isEnding ? currentPeriodEnd : currentPeriodEnd + renewalDays * dayMs;
}

/** When an invoice brings its next month's credits; undefined if it brings none any more. */
export function nextGrantAt(
  subscription: Pick<Subscription, 'billingCycle'>,
  { granted, periodStart, refundedAt }: Invoice,
): number | undefined {
  const isOver = granted === 0 || granted >= monthsOf(subscription) || refundedAt !== undefined;
  return isOver ? undefined : addMonths(periodStart, granted);
}

/** When it must be checked again, even if the gateway reports nothing. */
export function nextCheckAt(subscription: Subscription, invoices: readonly Invoice[], now: number): number | undefined {
  const { status, payableUntil, isClosed } = subscription;
  const overdueAt = payableUntil + graceMs;
  const mustClose = (status === 'abandoned' || status === 'canceled') && !isClosed;
  const times = [
    status === 'pending' ? (overdueAt > now ? overdueAt : now + retryMs) : undefined,
    mustClose ? now + retryMs : undefined,
    status === 'active' || status === 'past_due' ? now + dayMs : undefined,
    featuresEndAt(subscription),
    ...invoices.map((invoice) => nextGrantAt(subscription, invoice)),
  ].filter((time) => time !== undefined);
  return times.length > 0 ? Math.min(...times) : undefined;
}
