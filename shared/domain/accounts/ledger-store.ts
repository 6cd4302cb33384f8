/** Stores the ledger. Rows are only added, in the transaction that changes the balance. */
import * as z from 'zod';
import { ledgerReasons } from '../../contracts/ledger-reasons.ts';
import { once } from '../../contracts/once.ts';
import type { Action, Item, Table } from '../../platform/dynamo-table.ts';
import { packId, unpackId } from '../../platform/ids.ts';
import { ledgerKey } from '../keys.ts';
import { type ListRange, newestFirst } from '../list-page.ts';
import { readableItems } from '../readable-rows.ts';
import { parseRow } from '../stored-row.ts';
import { type LedgerCount, type LedgerRow, nothingCounted } from './ledger.ts';

export interface LedgerStore {
  /** Lists an account's rows, newest first. */
  list(accountId: string, range: ListRange): Promise<LedgerRow[]>;
  /** The sum of all rows of an account. */
  sum(accountId: string): Promise<number>;
  /**
   * Adds the `rows` after `from` to its sum: all of them (`counted`), and only those with ids before `settledBefore`
   * (`settled`).
   */
  count(
    accountId: string,
    from: LedgerCount,
    settledBefore: string,
  ): Promise<{ readonly counted: LedgerCount; readonly settled: LedgerCount; readonly rows: number }>;
}

/** Packs the token's id to keep the row small, so that deep pages of the history need few requests. */
export const appendLedgerRow = ({ id, accountId, tokenId, ...row }: LedgerRow): Action => ({
  Put: {
    Item: { ...ledgerKey(accountId, id), ...row, ...(tokenId !== undefined && { token: packId(tokenId) }) },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
});

const StoredLedgerRow = once(() =>
  z.object({
    amount: z.int(),
    reason: z.enum(ledgerReasons),
    at: z.int(),
    taskType: z.exactOptional(z.string()),
    taskId: z.exactOptional(z.string()),
    orderId: z.exactOptional(z.string()),
    token: z.exactOptional(z.instanceof(Uint8Array)),
  }),
);

const Amount = once(() => z.object({ amount: z.int() }));

function toRow(accountId: string, item: Item): LedgerRow {
  const { token, ...row } = parseRow('ledger row', StoredLedgerRow(), item);
  return { id: String(item.sk), accountId, ...row, ...(token && { tokenId: unpackId(token) }) };
}

/** Yields the rows whose ids are between two ids, both exclusive, oldest first. */
export async function* ledgerRows(
  table: Table,
  accountId: string,
  { after, before }: { readonly after: string; readonly before: string },
  order: 'oldest first' | 'newest first' = 'oldest first',
): AsyncGenerator<LedgerRow> {
  const found = table.walk({
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :after AND :before',
    ExpressionAttributeValues: { ':pk': ledgerKey(accountId, '').pk, ':after': after, ':before': before },
    ConsistentRead: true,
    ScanIndexForward: order === 'oldest first',
  });
  for await (const item of found) {
    if (item.sk !== after && item.sk !== before)
      yield* readableItems(table, 'ledger row', [item], (one) => toRow(accountId, one));
  }
}

export function ledgerStore(table: Table): LedgerStore {
  const count: LedgerStore['count'] = async (accountId, { through, sum }, settledBefore) => {
    const added = table.walk({
      KeyConditionExpression: 'pk = :pk AND sk > :through',
      ExpressionAttributeValues: { ':pk': ledgerKey(accountId, '').pk, ':through': through },
      ConsistentRead: true,
    });
    let counted = { through, sum };
    let settled = counted;
    let rows = 0;
    for await (const item of added) {
      rows += 1;
      // Invalid rows throw here, because a sum must not leave any out.
      const { amount } = parseRow('ledger row', Amount(), item);
      counted = { through: String(item.sk), sum: counted.sum + amount };
      if (counted.through < settledBefore) settled = counted;
    }
    return { counted, settled, rows };
  };
  return {
    async list(accountId, range) {
      const items = await table.list(newestFirst({ pk: ledgerKey(accountId, '').pk, after: range.after }), range);
      return readableItems(table, 'ledger row', items, (item) => toRow(accountId, item));
    },
    async sum(accountId) {
      return (await count(accountId, nothingCounted, '')).counted.sum;
    },
    count,
  };
}
