/** Cases: payments that an operator must decide about. */
import { createHash } from 'node:crypto';

export const caseKinds = [
  /** A paid order was paid again. */
  'second-payment',
  /** The amount or currency differs from the order's. */
  'wrong-amount',
  /** An order was paid after it had been canceled or had failed, or its account had been closed. */
  'payment-of-canceled-order',
  /** The account already had another subscription when this one was paid. */
  'second-subscription',
  /** A payment for an order that does not exist, because its creation did not finish. */
  'payment-without-order',
  /** A paid and credited period overlaps one that was paid earlier. */
  'overlapping-periods',
  /** Only part of a payment was refunded. */
  'partial-refund',
  /** A payment was refunded, but its credits had already been used. */
  'used-credits',
  /** A payer or a bank demands a payment back, and the dispute is undecided. */
  'disputed-payment',
  /** A refunded payment, whose credits were taken back, has been paid after all: a chargeback was won. */
  'payment-after-refund',
  /** A payment was returned again, after an operator had decided about its `payment-after-refund`. */
  'returned-again',
] as const;
export type CaseKind = (typeof caseKinds)[number];

export interface BillingCase {
  readonly caseId: string;
  readonly kind: CaseKind;
  readonly orderId: string;
  /** The account whose order was paid; absent if there is no order. */
  readonly accountId?: string;
  readonly gateway: string;
  readonly paymentId: string;
  readonly cents: number;
  readonly currency: string;
  /** The number of credits that have not been taken back. */
  readonly missingCredits?: number;
  readonly createdAt: number;
  /** When the reported payment last changed. */
  readonly reportedAt?: number;
  /** When a change of the payment made a decision unnecessary; if one becomes necessary again, a new case is opened. */
  readonly endedAt?: number;
  readonly resolvedAt?: number;
  /** How the case was resolved: the operator's note, or the change that made a decision unnecessary. */
  readonly resolution?: string;
}

/**
 * The kinds of cases in which a payment is not accepted for its order; later changes of the order open no second case.
 */
const unexpected: readonly CaseKind[] = [
  'second-payment',
  'wrong-amount',
  'payment-of-canceled-order',
  'payment-without-order',
];

/** The finding that a case is about; equal findings belong to the same case. */
export type Finding = Pick<BillingCase, 'kind' | 'orderId' | 'gateway' | 'paymentId' | 'cents'>;

/** The prefix of the ids of an order's cases. */
export const caseIdsOf = (orderId: string): string => `${orderId}.`;

/**
 * The id of a case: the same for the same finding, so that repeated reports record it once; `nth` counts recurrences.
 */
export function caseIdOf({ kind, orderId, gateway, paymentId, cents }: Finding, nth = 1): string {
  const finding = unexpected.includes(kind) ? ['unexpected', gateway, paymentId] : [kind, gateway, paymentId, cents];
  if (nth > 1) finding.push(nth);
  return `${caseIdsOf(orderId)}${createHash('sha256').update(finding.join('\n')).digest('hex').slice(0, 16)}`;
}

/** How a case can be resolved without an operator. */
export const endings = {
  returned: 'Resolved by the service: the whole payment was returned.',
  decided: 'Resolved by the service: the dispute was decided.',
  recovered: 'Resolved by the service: the missing credits were taken back from tasks that failed.',
  parted: 'Resolved by the service: the other payment for the time was returned.',
  failed: 'Resolved by the service: another amount is returned now, because a refund failed.',
} as const;

/**
 * How many cases a transaction resolves at most, far below what a transaction can write: a payment has a case for each
 * of its partial refunds.
 */
export const maxEndedAtOnce = 50;

/** Whether a case is resolved once its payment is fully refunded. */
export const isEndedByReturn = ({ kind, endedAt }: BillingCase): boolean =>
  kind !== 'used-credits' && kind !== 'returned-again' && endedAt === undefined;
