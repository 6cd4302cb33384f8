/** Where the ledger is kept. Rows are only ever put, inside the transaction that moves the balance. */
import type { LedgerReason } from '../../contracts/account.ts';
import type { Action, Item, Table } from '../../platform/dynamo-table.ts';
import { ledgerKey } from '../keys.ts';
import type { LedgerRow } from './ledger.ts';

export interface LedgerStore {
  /** Newest first. */
  list(accountId: string, range: { limit: number; offset: number }): Promise<LedgerRow[]>;
  /** What all rows of an account add up to. */
  sum(accountId: string): Promise<number>;
}

export const appendLedgerRow = ({ id, accountId, ...row }: LedgerRow): Action => ({
  Put: {
    Item: { ...ledgerKey(accountId, id), ...row },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
});

const toRow = (accountId: string, item: Item): LedgerRow => ({
  id: String(item.sk),
  accountId,
  amount: Number(item.amount),
  reason: item.reason as LedgerReason,
  at: Number(item.at),
  ...(item.taskType !== undefined && { taskType: item.taskType as string }),
  ...(item.taskId !== undefined && { taskId: item.taskId as string }),
});

export function ledgerStore(table: Table): LedgerStore {
  const rowsOf = (accountId: string) => ({
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': ledgerKey(accountId, '').pk },
    ScanIndexForward: false,
    ConsistentRead: true,
  });
  return {
    async list(accountId, range) {
      return (await table.list(rowsOf(accountId), range)).map((item) => toRow(accountId, item));
    },
    async sum(accountId) {
      let sum = 0;
      for await (const item of table.walk(rowsOf(accountId))) sum += Number(item.amount);
      return sum;
    },
  };
}
