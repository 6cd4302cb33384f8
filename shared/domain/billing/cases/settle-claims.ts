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

/** The id of the case that is opened if a returned payment is paid after all: then no more credits are taken back. */
const wonCaseId = (found: BillingCase): string => caseIdOf({ ...found, kind: 'payment-after-refund' });

/**
 * Reads the cases that claim a task's refund, oldest first. Cases that are resolved, or whose payment was paid after
 * all, claim nothing.
 */
async function claimingCases(table: Table, claims: readonly RefundClaim[], taskId: string): Promise<BillingCase[]> {
  const caseIds = claimsOn(claims, taskId).map(({ caseId }) => caseId);
  const cases = (await findCases(table, caseIds)).filter(({ resolvedAt }) => resolvedAt === undefined);
  const won = new Set((await findCases(table, cases.map(wonCaseId))).map(({ caseId }) => caseId));
  const claiming = cases.filter((one) => !won.has(wonCaseId(one)));
  return claiming.toSorted((one, other) => caseIds.indexOf(one.caseId) - caseIds.indexOf(other.caseId));
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
  const lacking = (await claimingCases(table, claims, taskId)).filter(({ missingCredits = 0 }) => missingCredits > 0);
  for (const found of lacking.slice(0, maxSettled)) {
    const { orderId, missingCredits = 0 } = found;
    const part = Math.min(credits - taken, missingCredits);
    if (part === 0) break;
    taken += part;
    actions.push(
      lowerCase(found, missingCredits - part, at),
      { ConditionCheck: { Key: caseKey(wonCaseId(found)), ConditionExpression: 'attribute_not_exists(pk)' } },
      appendLedgerRow({ id: ids.next(), accountId, orderId, amount: -part, reason: 'refund', at }),
    );
  }
  return { taken, actions };
}
