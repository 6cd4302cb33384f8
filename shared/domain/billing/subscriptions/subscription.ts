/** Subscriptions and their invoices: their states, and when something is due. */

import type { BillingCycle } from '../../../contracts/billing-cycles.ts';
import type { Feature } from '../../../contracts/features.ts';
import { addMonths } from '../../../platform/calendar.ts';
import type { Account } from '../../accounts/account.ts';

/** `abandoned`: never active, and its checkout or payment was rejected or has expired. The API does not show these. */
export const storedSubscriptionStatuses = ['pending', 'active', 'past_due', 'canceled', 'abandoned'] as const;
type StoredSubscriptionStatus = (typeof storedSubscriptionStatuses)[number];

export interface Subscription {
  /** The subscription's id, which is that of its order. */
  readonly subscriptionId: string;
  readonly accountId: string;
  /** The version, which each change increments; every write is conditional on the version that was read. */
  readonly version: number;
  readonly status: StoredSubscriptionStatus;
  readonly planId: string;
  readonly planName: string;
  readonly billingCycle: BillingCycle;
  readonly creditsPerMonth: number;
  /** The features of the plan at the time of the order. */
  readonly features: readonly Feature[];
  /** The price of a renewal. */
  readonly cents: number;
  /** The renewal price with the coupon, if the coupon applies to renewals. */
  readonly discountedCents?: number;
  readonly gateway: string;
  readonly checkoutId: string;
  /** The subscription's id at the gateway. */
  readonly gatewayId?: string;
  /** When the checkout can no longer be completed. */
  readonly payableUntil: number;
  readonly createdAt: number;
  /** The beginning of the latest period that was paid for. */
  readonly currentPeriodStart?: number;
  readonly currentPeriodEnd?: number;
  /** Whether the subscription ends with the current period. */
  readonly isEnding?: boolean;
  readonly canceledAt?: number;
  /** When the features ended; absent while they are available. */
  readonly lapsedAt?: number | undefined;
  /** Whether the subscription can no longer be paid at the gateway. */
  readonly isClosed?: boolean | undefined;
  /** When the subscription must be checked next; absent if nothing can become due. */
  readonly checkAt?: number | undefined;
  /** When the subscription is deleted; absent while it can still change. */
  readonly deleteAt?: number | undefined;
}

/** A paid invoice. */
export interface Invoice {
  readonly invoiceId: string;
  readonly cents: number;
  readonly periodStart: number;
  readonly periodEnd: number;
  readonly paidAt: number;
  /** How many months' credits were granted for the invoice; 0 if it could not be credited. */
  readonly granted: number;
  /** How much of the invoice, in cents, operators have confirmed as refunded. */
  readonly refundedCents: number;
  readonly refundedAt?: number | undefined;
  readonly isDisputed?: boolean | undefined;
  /** How often the invoice was disputed, and how often it was paid after all although it had been refunded. */
  readonly disputes?: number | undefined;
  readonly wins?: number | undefined;
  /** How often less of the invoice was returned than before, because a refund failed. */
  readonly failures?: number | undefined;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** How long a payment that was made in time may still be in progress. */
const graceMs = 2 * minuteMs;

/**
 * How many days the features outlast a period: renewal happens an hour after its end, and failed payments are retried.
 */
const renewalDays = 3;

/** How soon a due action at the gateway is retried or checked again. */
const retryMs = 10 * minuteMs;

const monthsOf = ({ billingCycle }: Pick<Subscription, 'billingCycle'>): number => (billingCycle === 'annual' ? 12 : 1);

/**
 * How long an abandoned subscription is kept: far longer than a gateway reports payments of its checkout. A later
 * payment is a case without an order.
 */
const abandonedKeptMs = 30 * dayMs;

/** When the subscription can be deleted: it was never paid and can no longer be paid. */
export const deletableAt = (
  { status, isClosed, payableUntil }: Subscription,
  invoices: readonly Invoice[],
): number | undefined =>
  status === 'abandoned' && isClosed && invoices.length === 0 ? payableUntil + abandonedKeptMs : undefined;

/** Whether the checkout should have been completed by now. */
export const isOverdue = ({ payableUntil }: Pick<Subscription, 'payableUntil'>, now: number): boolean =>
  now >= payableUntil + graceMs;

/** The longest wait for a first payment; far longer than a gateway's own limit of a day. */
const firstPaymentMs = 7 * dayMs;

/** Whether a completed checkout should by now have been paid, or have ended at its gateway. */
export const isForgotten = ({ payableUntil }: Pick<Subscription, 'payableUntil'>, now: number): boolean =>
  now >= payableUntil + firstPaymentMs;

/** Whether the subscription was ever active. */
export const wasActive = ({ status }: Pick<Subscription, 'status'>): boolean =>
  status !== 'pending' && status !== 'abandoned';

/** Whether the time that was paid for is followed by no other. */
export const endsWithPeriod = ({ isEnding = false, status }: Pick<Subscription, 'isEnding' | 'status'>): boolean =>
  isEnding || status === 'canceled';

/** When the features end unless something is paid; undefined if they have ended. */
export function featuresEndAt(subscription: Subscription): number | undefined {
  const { currentPeriodEnd, lapsedAt } = subscription;
  if (lapsedAt !== undefined || currentPeriodEnd === undefined || !wasActive(subscription)) return undefined;
  return endsWithPeriod(subscription) ? currentPeriodEnd : currentPeriodEnd + renewalDays * dayMs;
}

/** Whether the account is closed or erased. */
type Standing = Pick<Account, 'closing' | 'erasedAt'>;

/**
 * How many months' credits an invoice grants. Once the subscription is canceled, at once or for the end of its period, a
 * partial refund counts as the price of months that are not wanted any more, so only the months remain that the rest pays
 * for, rounded to whole ones.
 */
function monthsToGrant(
  subscription: Pick<Subscription, 'billingCycle' | 'isEnding' | 'status'>,
  { cents, refundedCents }: Invoice,
): number {
  const months = monthsOf(subscription);
  if (!endsWithPeriod(subscription) || refundedCents === 0) return months;
  return Math.round((months * (cents - refundedCents)) / cents);
}

/**
 * When an invoice grants its next month's credits; undefined if it grants no more, or none while its payment is
 * disputed. The months of a dispute that is won are overdue then, and granted at once.
 */
export function nextGrantAt(
  subscription: Pick<Subscription, 'billingCycle' | 'isEnding' | 'status'>,
  invoice: Invoice,
): number | undefined {
  const { granted, periodStart, refundedAt, isDisputed } = invoice;
  const isOver = granted === 0 || granted >= monthsToGrant(subscription, invoice) || refundedAt !== undefined;
  return isOver || isDisputed ? undefined : addMonths(periodStart, granted);
}

/**
 * When a month's credits have to be granted next: not while the account is closed, because it may be opened again, and
 * never after it was erased.
 */
function grantCheckAt(
  subscription: Subscription,
  invoices: readonly Invoice[],
  now: number,
  { closing, erasedAt }: Standing,
): number | undefined {
  const times = invoices.flatMap((invoice) => nextGrantAt(subscription, invoice) ?? []);
  if (times.length === 0 || erasedAt !== undefined) return undefined;
  return Math.max(Math.min(...times), closing ? now + dayMs : 0);
}

/** When the subscription must be checked again, even without a report from the gateway. */
export function nextCheckAt(
  subscription: Subscription,
  invoices: readonly Invoice[],
  now: number,
  account: Standing = {},
): number | undefined {
  const { status, payableUntil, isClosed } = subscription;
  const overdueAt = payableUntil + graceMs;
  const mustClose = (status === 'abandoned' || status === 'canceled') && !isClosed;
  const times = [
    status === 'pending' ? (overdueAt > now ? overdueAt : now + retryMs) : undefined,
    mustClose ? now + retryMs : undefined,
    status === 'active' || status === 'past_due' ? now + dayMs : undefined,
    featuresEndAt(subscription),
    grantCheckAt(subscription, invoices, now, account),
  ].filter((time) => time !== undefined);
  return times.length > 0 ? Math.min(...times) : undefined;
}
