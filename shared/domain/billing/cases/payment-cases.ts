/** Determines which cases a payment for a credit pack opens, and which cases it resolves. */
import type { PixPayment } from '../../../gateways/pix-gateway.ts';
import type { Stores } from '../../stores.ts';
import type { PackOrder } from '../orders/order.ts';
import { type BillingCase, caseIdOf, endings, type Finding, isEndedByReturn } from './billing-case.ts';

type Needs = Pick<Stores, 'cases'>;

/** The properties of a payment that cases depend on. */
export type Reported = Pick<PixPayment, 'paymentId' | 'cents' | 'currency'> & Partial<Pick<PixPayment, 'changedAt'>>;

export const newCase = (
  finding: Finding,
  order: Partial<Pick<PackOrder, 'accountId'>>,
  { currency, changedAt }: Reported,
  given: { readonly at: number; readonly caseId?: string; readonly missingCredits?: number },
): BillingCase => ({
  ...finding,
  caseId: given.caseId ?? caseIdOf(finding),
  ...(order.accountId !== undefined && { accountId: order.accountId }),
  currency,
  ...(given.missingCredits !== undefined && { missingCredits: given.missingCredits }),
  createdAt: given.at,
  ...(changedAt !== undefined && { reportedAt: changedAt }),
});

/**
 * All cases with the same finding, oldest first. Each but the last was resolved by a change of the payment before the
 * next was opened.
 */
async function casesOf({ cases }: Needs, finding: Finding): Promise<BillingCase[]> {
  const known: BillingCase[] = [];
  for (let nth = 1; ; nth += 1) {
    const found = await cases.find(caseIdOf(finding, nth));
    if (!found) return known;
    known.push(found);
  }
}

/**
 * The id of the case to open for a finding; undefined if the finding is already recorded and has not recurred since.
 */
export async function unrecordedCase(
  needs: Needs,
  finding: Finding,
  { changedAt = 0 }: Reported,
): Promise<string | undefined> {
  const known = await casesOf(needs, finding);
  const last = known.at(-1);
  // A report from before the last case ended says nothing about what happened afterwards.
  const isNew = !last || (last.endedAt !== undefined && last.endedAt < changedAt);
  return isNew ? caseIdOf(finding, known.length + 1) : undefined;
}

/**
 * The id of the case to open for a payment that is returned again, because an operator may have granted its credits
 * when it was paid after all; undefined if none did, or the case is already recorded.
 */
export async function unrecordedReturn(needs: Needs, finding: Omit<Finding, 'kind'>): Promise<string | undefined> {
  const won = await casesOf(needs, { ...finding, kind: 'payment-after-refund' });
  const last = won.at(-1);
  if (last?.endedAt === undefined || last.resolution === endings.returned) return undefined;
  const caseId = caseIdOf({ ...finding, kind: 'returned-again' }, won.length);
  return (await needs.cases.find(caseId)) ? undefined : caseId;
}

export interface EndedCase {
  readonly found: BillingCase;
  readonly resolution: string;
}

/** The payment's cases that no longer need a decision, because it has been refunded or its dispute was decided. */
export async function endedCases(
  needs: Needs,
  order: PackOrder | undefined,
  payment: PixPayment,
): Promise<readonly EndedCase[]> {
  const { orderId, paymentId, status, cents, changedAt } = payment;
  if (orderId === undefined) return [];
  const isEarlier = ({ reportedAt = 0 }: BillingCase): boolean => reportedAt < changedAt;
  if (status === 'refunded') {
    const own = (await needs.cases.ofOrder(orderId)).filter((one) => one.paymentId === paymentId);
    const ended = own.filter((one) => isEndedByReturn(one) && isEarlier(one));
    return ended.map((found) => ({ found, resolution: endings.returned }));
  }
  if (status !== 'paid' || !order) return [];
  const finding = { kind: 'disputed-payment', orderId, gateway: order.gateway, paymentId, cents } as const;
  const last = (await casesOf(needs, finding)).at(-1);
  const isDecided = last !== undefined && last.endedAt === undefined && isEarlier(last);
  return isDecided ? [{ found: last, resolution: endings.decided }] : [];
}
