/** The ledger on the real table: appended to, read from its end and added up. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { LedgerRow } from '../../../shared/domain/accounts/ledger.ts';
import { appendLedgerRow, type LedgerStore, ledgerStore } from '../../../shared/domain/accounts/ledger-store.ts';
import { TransactionCanceled } from '../../../shared/platform/dynamo-table.ts';
import { type TestTable, testIds, testTable, testTime } from '../../support/test-table.ts';

let host: TestTable;
let ledger: LedgerStore;
let accountId: string;

beforeAll(async () => {
  host = await testTable();
});
afterAll(() => host.close());
beforeEach(() => {
  ledger = ledgerStore(host.table);
  accountId = testIds.next();
});

const granted = (amount: number): LedgerRow => ({
  id: testIds.next(),
  accountId,
  amount,
  reason: 'bonus',
  at: testTime,
});

async function append(...rows: LedgerRow[]): Promise<void> {
  for (const row of rows) await host.table.transact([appendLedgerRow(row)]);
}

test('rows are returned complete, newest first, up to the requested number', async () => {
  const taskId = testIds.next();
  const first = granted(10);
  const used = { ...granted(-3), reason: 'generation', taskType: 'voice', taskId } as const;
  const last = granted(5);
  await append(used, last, first);
  expect(await ledger.list(accountId, { limit: 10, offset: 0 })).toStrictEqual([last, used, first]);
  expect(await ledger.list(accountId, { limit: 1, offset: 1 })).toStrictEqual([used]);
});

test('the sum covers all rows of the account and no others', async () => {
  expect(await ledger.sum(accountId)).toBe(0);
  await append(granted(100), granted(-30), granted(-5));
  await append({ ...granted(7), accountId: testIds.next() });
  expect(await ledger.sum(accountId)).toBe(65);
});

test('a row is appended once and never changed', async () => {
  const row = granted(10);
  await append(row);
  await expect(append({ ...row, amount: 99 })).rejects.toBeInstanceOf(TransactionCanceled);
  expect(await ledger.list(accountId, { limit: 10, offset: 0 })).toStrictEqual([row]);
});

test('reads return the latest write', async () => {
  const asked: { ConsistentRead?: boolean | undefined }[] = [];
  const noting = ledgerStore({
    ...host.table,
    walk: (input) => {
      asked.push(input);
      return host.table.walk(input);
    },
    list: (input, range) => {
      asked.push(input);
      return host.table.list(input, range);
    },
  });
  await noting.sum(accountId);
  await noting.list(accountId, { limit: 1, offset: 0 });
  expect(asked.map(({ ConsistentRead }) => ConsistentRead)).toEqual([true, true]);
});
