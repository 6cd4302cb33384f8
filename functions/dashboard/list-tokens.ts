import { dashboardTokenContracts } from '../../shared/contracts/dashboard-tokens.ts';
import { activeTokensLimit } from '../../shared/contracts/limits.ts';
import { readable } from '../../shared/domain/readable-rows.ts';
import { findSpending, monthAt } from '../../shared/domain/tokens/spending.ts';
import { presentToken, tokenStatus } from '../../shared/domain/tokens/token.ts';
import { tokenStore } from '../../shared/domain/tokens/token-store.ts';
import { timestamp } from '../../shared/platform/clock.ts';
import type { DashboardOperation } from '../../shared/runtime/operation-types.ts';
import { sessionLambda } from '../../shared/runtime/session-lambda.ts';

/** Lists an account's tokens without their secrets. */
export const listTokens: DashboardOperation<'listTokens'> = async ({ actor }, { clock, table }) => {
  const found = await tokenStore(table).list(actor.accountId);
  const now = clock.now();
  const capped = found.filter(({ monthlyCreditCap }) => monthlyCreditCap !== undefined);
  const spent = await findSpending(
    table,
    capped.map(({ tokenId }) => tokenId),
    monthAt(now),
  );
  return {
    tokens: readable(table, { kind: 'token', idOf: ({ tokenId }) => tokenId }, found, (token) => ({
      ...presentToken(token),
      creditsSpentThisMonth: spent.get(token.tokenId) ?? null,
      lastUsedAt: token.lastUsedAt === undefined ? null : timestamp(token.lastUsedAt),
      status: tokenStatus(token, now),
    })),
    activeLimit: activeTokensLimit,
  };
};

export const definition = sessionLambda(dashboardTokenContracts.listTokens, listTokens);
