import { dashboardClosureContracts } from '../../shared/contracts/dashboard-closure.ts';
import { isClosed } from '../../shared/domain/accounts/closed-account.ts';
import { reopenAccount as reopen } from '../../shared/domain/privacy/closing.ts';
import { unmarkOfClosed } from '../../shared/domain/sessions/closed-session.ts';
import { accounts } from '../../shared/domain/store-ports.ts';
import type { DashboardOperation } from '../../shared/runtime/operation-types.ts';
import { sessionLambda } from '../../shared/runtime/session-lambda.ts';

/** Opens an account again that its owner has closed. */
export const reopenAccount: DashboardOperation<'reopenAccount', 'accounts'> = async (
  { actor: { accountId, digest }, fail },
  context,
) => {
  const isReopened = await reopen(context, accountId, { given: [unmarkOfClosed(digest)], isByOwner: true });
  if (isReopened) return { accountId };
  const account = await context.accounts.find(accountId);
  return account && !isClosed(account) ? { accountId } : fail('CLOSURE_FINAL');
};

export const definition = sessionLambda(dashboardClosureContracts.reopenAccount, reopenAccount, { accounts });
