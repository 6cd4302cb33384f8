import { operateContracts } from '../../shared/contracts/operate.ts';
import type { BillingCase } from '../../shared/domain/billing/cases/billing-case.ts';
import { latestCases, oldestOpenCases } from '../../shared/domain/billing/cases/open-cases.ts';
import { ownerEmails } from '../../shared/domain/operator-reads/owner-emails.ts';
import { packPrices } from '../../shared/domain/operator-reads/pack-prices.ts';
import { readable } from '../../shared/domain/readable-rows.ts';
import { timestamp } from '../../shared/platform/clock.ts';
import { operateLambda } from '../../shared/runtime/operate-lambda.ts';
import type { OperateOperation } from '../../shared/runtime/operation-types.ts';

const present = (found: BillingCase, email: string | null, orderAmount: number | null) => ({
  caseId: found.caseId,
  kind: found.kind,
  orderId: found.orderId,
  accountId: found.accountId ?? null,
  email,
  gateway: found.gateway,
  paymentId: found.paymentId,
  amount: found.cents / 100,
  orderAmount,
  currency: found.currency,
  missingCredits: found.missingCredits ?? null,
  createdAt: timestamp(found.createdAt),
  resolvedAt: found.resolvedAt === undefined ? null : timestamp(found.resolvedAt),
  resolution: found.resolution ?? null,
});

/** Lists payments that need a decision. */
export const listCases: OperateOperation<'listCases'> = async ({ query: { status } }, { table }) => {
  const found = await (status === 'open' ? oldestOpenCases(table) : latestCases(table));
  const [emailOf, priceOf] = await Promise.all([
    ownerEmails(
      table,
      found.map(({ accountId }) => accountId),
    ),
    packPrices(
      table,
      found.map(({ orderId }) => orderId),
    ),
  ]);
  return {
    cases: readable(table, { kind: 'case', idOf: ({ caseId }) => caseId }, found, (one) =>
      present(one, emailOf(one.accountId), priceOf(one.orderId)),
    ),
  };
};

export const definition = operateLambda(operateContracts.listCases, listCases);
