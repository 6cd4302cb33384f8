/** Cases: payments that need an operator's decision. */
import { createHash } from 'node:crypto';

export const caseKinds = [
  /** A paid order was paid once more. */
  'second-payment',
  /** The amount or currency is not the order's. */
  'wrong-amount',
  /** An order was paid after it had been canceled or had failed. */
  'payment-of-canceled-order',
  /** The account already had another subscription when this one was paid. */
  'second-subscription',
  /** A payment for an order that does not exist: its creation did not finish. */
  'payment-without-order',
  /** A period was paid, and credited, that overlaps one that had been paid already. */
  'overlapping-periods',
  /** Only a part of a payment was returned. */
  'partial-refund',
  /** A payment was returned, but its credits had already been used. */
  'used-credits',
  /** A payer or a bank wants a payment back, and nothing has been decided. */
  'disputed-payment',
  /** A payment that had been returned, with its credits taken back, has been paid after all: a chargeback was won. */
  'payment-after-refund',
] as const;
export type CaseKind = (typeof caseKinds)[number];

export interface BillingCase {
  readonly caseId: string;
  readonly kind: CaseKind;
  readonly orderId: string;
  /** Undefined if there is no order. */
  readonly accountId?: string;
  readonly gateway: string;
  readonly paymentId: string;
  readonly cents: number;
  readonly currency: string;
  /** The credits that could not be taken back. */
  readonly missingCredits?: number;
  readonly createdAt: number;
  /** When the payment had changed as it was reported. */
  readonly reportedAt?: number;
  /** When the payment had changed so that there was no reason for the case any more; if there is one again, there is a new case. */
  readonly endedAt?: number;
  readonly resolvedAt?: number;
  /** What the operator did about it, or how its reason went. */
  readonly resolution?: string;
}

/** Reasons not to take a payment for its order: what becomes of the order later makes no second case of it. */
const unexpected: readonly CaseKind[] = [
  'second-payment',
  'wrong-amount',
  'payment-of-canceled-order',
  'payment-without-order',
];

/** What a case is about. */
export type Finding = Pick<BillingCase, 'kind' | 'orderId' | 'gateway' | 'paymentId' | 'cents'>;

/** What the ids of an order's cases begin with, and those of no other order. */
export const caseIdsOf = (orderId: string): string => `${orderId}.`;

/** The same for the same finding, so that it is recorded once however often it is reported; `nth` if it comes again later. */
export function caseIdOf({ kind, orderId, gateway, paymentId, cents }: Finding, nth = 1): string {
  const finding = unexpected.includes(kind) ? ['unexpected', gateway, paymentId] : [kind, gateway, paymentId, cents];
  if (nth > 1) finding.push(nth);
  return `${caseIdsOf(orderId)}${createHash('sha256').update(finding.join('\n')).digest('hex').slice(0, 16)}`;
}

/** How the reason for a case went without an operator. */
export const endings = {
  returned: 'Resolved by the service: the whole payment was returned.',
  decided: 'Resolved by the service: the dispute was decided.',
  parted: 'Resolved by the service: the other payment for the time was returned.',
} as const;

/** Whether nothing remains to be decided once the whole of its payment was returned. */
export const isEndedByReturn = ({ kind, endedAt }: BillingCase): boolean =>
  kind !== 'used-credits' && endedAt === undefined;
