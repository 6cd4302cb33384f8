/**
 * What a token's tasks have cost in a calendar month (UTC), counted in the transactions that debit and refund them. Only
 * tasks that are created while the token has a monthly cap are counted.
 */
import * as z from 'zod';
import { once } from '../../contracts/once.ts';
import { addMonths } from '../../platform/calendar.ts';
import { timestamp } from '../../platform/clock.ts';
import type { Action, Item, Table } from '../../platform/dynamo-table.ts';
import { expiryAttribute, spendingKey } from '../keys.ts';
import { parseRow } from '../stored-row.ts';

/** A calendar month, such as `2026-11`. */
export type Month = string;

export const monthAt = (milliseconds: number): Month => timestamp(milliseconds).slice(0, 7);

interface Spending {
  readonly tokenId: string;
  readonly month: Month;
  readonly credits: number;
}

/** Counts are kept for a while after the month, in which tasks of its last minutes can still be refunded. */
const keptUntil = (month: Month): number => addMonths(Date.parse(month), 2) / 1000;

/** Counts credits toward a cap; the condition fails if the month's sum would exceed it. */
export function spend({ tokenId, month, credits }: Spending, cap: number): Action {
  const isFirst = credits <= cap ? 'attribute_not_exists(spent) OR ' : '';
  return {
    Update: {
      Key: spendingKey(tokenId, month),
      UpdateExpression: 'SET #expiry = :expiry ADD spent :credits',
      ConditionExpression: `${isFirst}spent <= :room`,
      ExpressionAttributeNames: { '#expiry': expiryAttribute },
      ExpressionAttributeValues: { ':credits': credits, ':room': cap - credits, ':expiry': keptUntil(month) },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  };
}

/** Gives credits back to the month in which they were spent. */
export const unspend = ({ tokenId, month, credits }: Spending): Action => ({
  Update: {
    Key: spendingKey(tokenId, month),
    UpdateExpression: 'ADD spent :credits',
    ExpressionAttributeValues: { ':credits': -credits },
  },
});

const SpendingRow = once(() => z.object({ spent: z.int() }));

/** The credits in a row; a month without a row has none. */
export const spentIn = (item: Item | undefined): number =>
  item ? parseRow('month of spending', SpendingRow(), item).spent : 0;

export const findSpent = async (table: Table, tokenId: string, month: Month): Promise<number> =>
  spentIn(await table.get(spendingKey(tokenId, month)));

/** What many tokens spent in a month, by their ids. */
export async function findSpending(
  table: Table,
  tokenIds: readonly string[],
  month: Month,
): Promise<ReadonlyMap<string, number>> {
  const keys = tokenIds.map((tokenId) => spendingKey(tokenId, month));
  const items = new Map((await table.getMany(keys)).map((item) => [item.pk, item]));
  return new Map(tokenIds.map((tokenId, index) => [tokenId, spentIn(items.get(keys[index]?.pk))]));
}
