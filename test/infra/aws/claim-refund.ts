/**
 * Opens cases about missing credits that claim the refund of a task, so that the AWS calls for settling them are
 * recorded.
 */
import { changeClaims } from '../../../shared/domain/accounts/refund-claims.ts';
import { updateAccount } from '../../../shared/domain/accounts/update-account.ts';
import { caseIdOf } from '../../../shared/domain/billing/cases/billing-case.ts';
import { insertCase } from '../../../shared/domain/billing/cases/case-store.ts';
import type { TestService } from '../../support/test-service.ts';

/** Claims the refund of an open task of an account that has no claims yet, and returns the task's id. */
export async function claimRefund({ service }: TestService, accountId: string, taskId: string): Promise<string> {
  const { clock, ids, table } = service.context;
  const finding = {
    kind: 'used-credits',
    orderId: ids.next(),
    gateway: 'fake',
    paymentId: taskId,
    cents: 100,
  } as const;
  const caseId = caseIdOf(finding);
  await table.transact([
    insertCase({ ...finding, caseId, accountId, currency: 'BRL', missingCredits: 1, createdAt: clock.now() }),
    updateAccount(accountId, [changeClaims([], [{ caseId, taskIds: [taskId] }])]),
  ]);
  return taskId;
}
