import { dashboardTokenContracts } from '../../shared/contracts/dashboard-tokens.ts';
import { activeTokensLimit } from '../../shared/contracts/limits.ts';
import { testCreditsAt } from '../../shared/domain/accounts/test-purse.ts';
import { readable } from '../../shared/domain/readable-rows.ts';
import { accounts } from '../../shared/domain/store-ports.ts';
import { testAccountOf } from '../../shared/domain/test-account.ts';
import { findSpending, monthAt } from '../../shared/domain/tokens/spending.ts';
import { presentToken, tokenStatus } from '../../shared/domain/tokens/token.ts';
import { tokenStore } from '../../shared/domain/tokens/token-store.ts';
import { timestamp } from '../../shared/platform/clock.ts';
import type { DashboardOperation } from '../../shared/runtime/operation-types.ts';
import { sessionLambda } from '../../shared/runtime/session-lambda.ts';

/** Lists an account's tokens without their secrets. */
export const listTokens: DashboardOperation<'listTokens', 'accounts'> = async (
  { actor },
  { accounts, clock, table },
) => {
  const found = await tokenStore(table).list(actor.accountId);
  const now = clock.now();
  const capped = found.filter(({ monthlyCreditCap }) => monthlyCreditCap !== undefined);
  const [spent, testAccount] = await Promise.all([
    findSpending(
      table,
      capped.map(({ tokenId }) => tokenId),
      monthAt(now),
    ),
    accounts.find(testAccountOf(actor.accountId)),
  ]);
  return {
    tokens: readable(table, { kind: 'token', idOf: ({ tokenId }) => tokenId }, found, (token) => ({
      ...presentToken(token),
      creditsSpentThisMonth: spent.get(token.tokenId) ?? null,
      lastUsedAt: token.lastUsedAt === undefined ? null : timestamp(token.lastUsedAt),
      status: tokenStatus(token, now),
    })),
    activeLimit: activeTokensLimit,
    testCredits: testAccount ? testCreditsAt(testAccount, now) : null,
  };
};

export const definition = sessionLambda(dashboardTokenContracts.listTokens, listTokens, { accounts });
