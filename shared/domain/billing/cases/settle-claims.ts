/**
 * A failed task's refund first pays for cases in which credits are missing, because a payment was returned after its
 * credits were spent.
 */
import type { Action, Table } from '../../../platform/dynamo-table.ts';
import type { Ids } from '../../../platform/ids.ts';
import { appendLedgerRow } from '../../accounts/ledger-store.ts';
import { claimsOn, type RefundClaim } from '../../accounts/refund-claims.ts';
import { caseKey } from '../../keys.ts';
import { type BillingCase, caseIdOf } from './billing-case.ts';
import { findCases, lowerCase } from './case-store.ts';

interface Refund {
  readonly accountId: string;
  readonly taskId: string;
  readonly credits: number;
  readonly at: number;
}

interface SettledClaims {
  /** The credits that the claims take from the refund. */
  readonly taken: number;
  readonly actions: readonly Action[];
}

interface ClaimingCase {
  readonly found: BillingCase;
  /** The id of the case that is opened if its payment is paid after all: then no more credits are taken back. */
  readonly wonCaseId: string;
}

/**
 * The case as one that claims refunds; undefined if its payment was paid after all, unless it has been returned again
 * since. Each time that it is paid after all opens another case, which ends when it is returned again.
 */
async function claiming(table: Table, found: BillingCase): Promise<ClaimingCase | undefined> {
  let isReturned = true;
  for (let nth = 1; ; nth += 1) {
    const wonCaseId = caseIdOf({ ...found, kind: 'payment-after-refund' }, nth);
    const [won] = await table.getMany([caseKey(wonCaseId)]);
    if (!won) return isReturned ? { found, wonCaseId } : undefined;
    isReturned = won.endedAt !== undefined;
  }
}

/**
 * Reads the cases that claim a task's refund, oldest first. Cases that are resolved, or whose payment was paid after
 * all, claim nothing.
 */
async function claimingCases(table: Table, claims: readonly RefundClaim[], taskId: string): Promise<ClaimingCase[]> {
  const caseIds = claimsOn(claims, taskId).map(({ caseId }) => caseId);
  const cases = (await findCases(table, caseIds)).filter(
    ({ missingCredits = 0, resolvedAt }) => missingCredits > 0 && resolvedAt === undefined,
  );
  const oldestFirst = cases.toSorted((one, other) => caseIds.indexOf(one.caseId) - caseIds.indexOf(other.caseId));
  const all = await Promise.all(oldestFirst.map((found) => claiming(table, found)));
  return all.filter((one) => one !== undefined);
}

/**
 * How many cases a refund pays for at most: the transaction that ends the task has three writes for each of them. At the
 * default prices, as many of the smallest packs have more credits than any task costs.
 */
const maxSettled = 20;

/** The writes that settle claims, conditional on no change of their cases since they were read. */
export async function settleClaims(
  { ids, table }: { readonly ids: Ids; readonly table: Table },
  claims: readonly RefundClaim[],
  { accountId, taskId, credits, at }: Refund,
): Promise<SettledClaims> {
  let taken = 0;
  const actions: Action[] = [];
  if (credits === 0) return { taken, actions };
  const lacking = await claimingCases(table, claims, taskId);
  for (const { found, wonCaseId } of lacking.slice(0, maxSettled)) {
    const { orderId, missingCredits = 0 } = found;
    const part = Math.min(credits - taken, missingCredits);
    if (part === 0) break;
    taken += part;
    actions.push(
      lowerCase(found, missingCredits - part, at),
      { ConditionCheck: { Key: caseKey(wonCaseId), ConditionExpression: 'attribute_not_exists(pk)' } },
      appendLedgerRow({ id: ids.next(), accountId, orderId, amount: -part, reason: 'refund', at }),
    );
  }
  return { taken, actions };
}
