/** Determines which cases a subscription's state transition opens, and which cases it makes obsolete. */
import type { PaidInvoice } from '../../../gateways/subscription-gateway.ts';
import {
  areOverlapping,
  isInForce,
  type SubscriptionMove,
  type SubscriptionState,
} from '../subscriptions/subscription-move.ts';
import { type BillingCase, type CaseKind, caseIdOf, endings, isEndedByReturn } from './billing-case.ts';

export function caseOf(
  kind: CaseKind,
  { order: { orderId, accountId, gateway } }: SubscriptionState,
  { invoiceId: paymentId, currency }: PaidInvoice,
  given: { readonly cents: number; readonly at: number; readonly missingCredits?: number; readonly nth?: number },
): BillingCase {
  const { cents, at, missingCredits, nth } = given;
  const finding = { kind, orderId, gateway, paymentId, cents };
  return {
    ...finding,
    caseId: caseIdOf(finding, nth),
    accountId,
    currency,
    ...(missingCredits !== undefined && { missingCredits }),
    createdAt: at,
  };
}

/** Whether a state transition can resolve cases. */
export const mayEndCases = (move: SubscriptionMove): boolean =>
  move.kind === 'refund' || move.kind === 'return-less' || (move.kind === 'dispute' && !move.invoice.isDisputed);

type WithCases = SubscriptionState & { readonly cases?: readonly BillingCase[] };
type Returned = Extract<SubscriptionMove, { kind: 'refund' }>;

interface Ended {
  readonly found: BillingCase;
  readonly resolution: string;
}

/** Whether an operator has decided about the last time that the invoice was paid after all. */
export function isWinDecided({ order, cases = [] }: WithCases, { invoice, known }: Returned): boolean {
  const { orderId, gateway } = order;
  const { invoiceId: paymentId, cents } = invoice;
  const wonCaseId = caseIdOf({ kind: 'payment-after-refund', orderId, gateway, paymentId, cents }, known?.wins);
  return cases.some(({ caseId, resolvedAt }) => caseId === wonCaseId && resolvedAt !== undefined);
}

/** The order's cases that a state transition resolves, or ends after an operator has resolved them. */
export function endedBy(
  { invoices }: SubscriptionState,
  move: SubscriptionMove,
  cases: readonly BillingCase[],
): readonly Ended[] {
  if (move.kind !== 'refund' && move.kind !== 'dispute' && move.kind !== 'return-less') return [];
  const { invoiceId } = move.invoice;
  const open = cases.filter(({ resolvedAt }) => resolvedAt === undefined);
  const own = open.filter(({ paymentId }) => paymentId === invoiceId);
  if (move.kind === 'dispute') {
    const decided = own.filter(({ kind }) => kind === 'disputed-payment' && !move.invoice.isDisputed);
    return decided.map((found) => ({ found, resolution: endings.decided }));
  }
  if (move.kind === 'return-less') {
    const outdated = own.filter(({ kind }) => kind === 'partial-refund');
    return outdated.map((found) => ({ found, resolution: endings.failed }));
  }
  const returned = cases.filter((one) => one.paymentId === invoiceId && isEndedByReturn(one));
  const left = invoices.filter((one) => isInForce(one) && one.invoiceId !== invoiceId);
  const isParted = ({ kind, paymentId }: BillingCase): boolean => {
    const about = kind === 'overlapping-periods' && left.find((one) => one.invoiceId === paymentId);
    return about ? !left.some((one) => one !== about && areOverlapping(one, about)) : false;
  };
  return [
    ...returned.map((found) => ({ found, resolution: endings.returned })),
    ...open.filter(isParted).map((found) => ({ found, resolution: endings.parted })),
  ];
}
