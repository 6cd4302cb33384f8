/** Presents the tokens of an account, with what each has spent, to its owner and to operators. */
import { timestamp } from '../../platform/clock.ts';
import type { Table } from '../../platform/dynamo-table.ts';
import { readable } from '../readable-rows.ts';
import { findSpending, monthAt } from './spending.ts';
import { presentToken, tokenStatus } from './token.ts';
import { tokenStore } from './token-store.ts';

export async function presentTokens(table: Table, accountId: string, now: number) {
  const found = await tokenStore(table).list(accountId);
  const capped = found.filter(({ monthlyCreditCap }) => monthlyCreditCap !== undefined);
  const spent = await findSpending(
    table,
    capped.map(({ tokenId }) => tokenId),
    monthAt(now),
  );
  return readable(table, { kind: 'token', idOf: ({ tokenId }) => tokenId }, found, (token) => ({
    ...presentToken(token),
    creditsSpentThisMonth: spent.get(token.tokenId) ?? null,
    lastUsedAt: token.lastUsedAt === undefined ? null : timestamp(token.lastUsedAt),
    status: tokenStatus(token, now),
  }));
}
