import { operateContracts } from '../../shared/contracts/operate.ts';
import type { BillingCase } from '../../shared/domain/billing/cases/billing-case.ts';
import { latestCases, oldestOpenCases } from '../../shared/domain/billing/cases/open-cases.ts';
import { ownerEmails } from '../../shared/domain/operator-reads/owner-emails.ts';
import { readable } from '../../shared/domain/readable-rows.ts';
import { timestamp } from '../../shared/platform/clock.ts';
import { operateLambda } from '../../shared/runtime/operate-lambda.ts';
import type { OperateOperation } from '../../shared/runtime/operation-types.ts';

const present = (found: BillingCase, email: string | null) => ({
  caseId: found.caseId,
  kind: found.kind,
  orderId: found.orderId,
  accountId: found.accountId ?? null,
  email,
  gateway: found.gateway,
  paymentId: found.paymentId,
  amount: found.cents / 100,
  currency: found.currency,
  missingCredits: found.missingCredits ?? null,
  createdAt: timestamp(found.createdAt),
  resolvedAt: found.resolvedAt === undefined ? null : timestamp(found.resolvedAt),
  resolution: found.resolution ?? null,
});

/** Lists payments that need a decision. */
export const listCases: OperateOperation<'listCases'> = async ({ query: { status } }, { table }) => {
  const found = await (status === 'open' ? oldestOpenCases(table) : latestCases(table));
  const emailOf = await ownerEmails(
    table,
    found.map(({ accountId }) => accountId),
  );
  return {
    cases: readable(table, { kind: 'case', idOf: ({ caseId }) => caseId }, found, (one) =>
      present(one, emailOf(one.accountId)),
    ),
  };
};

export const definition = operateLambda(operateContracts.listCases, listCases);
