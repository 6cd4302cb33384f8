import { dashboardTokenContracts } from '../../shared/contracts/dashboard-tokens.ts';
import { activeTokensLimit } from '../../shared/contracts/limits.ts';
import { testCreditsAt } from '../../shared/domain/accounts/test-purse.ts';
import { accounts } from '../../shared/domain/store-ports.ts';
import { testAccountOf } from '../../shared/domain/test-account.ts';
import { presentTokens } from '../../shared/domain/tokens/present-tokens.ts';
import type { DashboardOperation } from '../../shared/runtime/operation-types.ts';
import { sessionLambda } from '../../shared/runtime/session-lambda.ts';

/** Lists an account's tokens without their secrets. */
export const listTokens: DashboardOperation<'listTokens', 'accounts'> = async (
  { actor },
  { accounts, clock, table },
) => {
  const now = clock.now();
  const [tokens, testAccount] = await Promise.all([
    presentTokens(table, actor.accountId, now),
    accounts.find(testAccountOf(actor.accountId)),
  ]);
  return {
    tokens,
    activeLimit: activeTokensLimit,
    testCredits: testAccount ? testCreditsAt(testAccount, now) : null,
  };
};

export const definition = sessionLambda(dashboardTokenContracts.listTokens, listTokens, { accounts });
