/** The ledger on the real table: appending rows, reading the latest ones and adding them up. */
import { beforeEach, expect, test } from 'vitest';
import { type LedgerRow, nothingCounted } from '../../../shared/domain/accounts/ledger.ts';
import {
  appendLedgerRow,
  type LedgerStore,
  ledgerRows,
  ledgerStore,
} from '../../../shared/domain/accounts/ledger-store.ts';
import { ledgerKey } from '../../../shared/domain/keys.ts';
import { type Table, TransactionCanceled } from '../../../shared/platform/dynamo-table.ts';
import { tableInTests, testIds, testTime } from '../../support/test-table.ts';

let ledger: LedgerStore;
let accountId: string;

const host = await tableInTests();
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

test('ledger rows are returned complete and newest first, up to the requested number', async () => {
  const taskId = testIds.next();
  const first = granted(10);
  const used = { ...granted(-3), reason: 'generation', taskType: 'voice', taskId } as const;
  const last = granted(5);
  await append(used, last, first);
  expect(await ledger.list(accountId, { limit: 10, offset: 0 })).toStrictEqual([last, used, first]);
  expect(await ledger.list(accountId, { limit: 1, offset: 1 })).toStrictEqual([used]);
});

test('the sum of a ledger covers every row of the account and no row of another account', async () => {
  expect(await ledger.sum(accountId)).toBe(0);
  await append(granted(100), granted(-30), granted(-5));
  await append({ ...granted(7), accountId: testIds.next() });
  expect(await ledger.sum(accountId)).toBe(65);
});

test('a ledger sum continues from an earlier sum, and states up to which row the ledger can no longer change', async () => {
  const [first, second, third] = [granted(100), granted(-30), granted(-5)];
  await append(first, second, third);
  const all = { through: third.id, sum: 65 };
  expect(await ledger.count(accountId, nothingCounted, third.id)).toEqual({
    counted: all,
    settled: { through: second.id, sum: 70 },
    rows: 3,
  });
  const from = { through: first.id, sum: 100 };
  expect(await ledger.count(accountId, from, first.id)).toEqual({ counted: all, settled: from, rows: 2 });
});

test('the ledger rows between two given rows are returned oldest first, without those two', async () => {
  const rows = [granted(1), { ...granted(2), tokenId: testIds.next() }, granted(3), granted(4)];
  const [first, second, third, last] = rows;
  await append(...rows, { ...granted(7), accountId: testIds.next() });
  const between = (after = '', before = '') => Array.fromAsync(ledgerRows(host.table, accountId, { after, before }));
  expect(await between(first?.id, last?.id)).toStrictEqual([second, third]);
  expect(await between(' ', '~')).toStrictEqual(rows);
});

test('reading a damaged ledger row throws an error that does not reveal the row’s contents', async () => {
  const secret = 'a private text';
  await host.table.put({ Item: { ...ledgerKey(accountId, testIds.next()), ...granted(1), reason: secret } });
  const read = ledger.list(accountId, { limit: 1, offset: 0 });
  await expect(read).rejects.toThrow(/^a stored ledger row cannot be read: reason \(\w+\)$/);
});

test('a ledger row is appended once and never changed', async () => {
  const row = granted(10);
  await append(row);
  await expect(append({ ...row, amount: 99 })).rejects.toBeInstanceOf(TransactionCanceled);
  expect(await ledger.list(accountId, { limit: 10, offset: 0 })).toStrictEqual([row]);
});

test('reads of the ledger return the latest write', async () => {
  const asked: { ConsistentRead?: boolean | undefined }[] = [];
  const table: Table = {
    ...host.table,
    walk: (input) => {
      asked.push(input);
      return host.table.walk(input);
    },
    list: (input, range) => {
      asked.push(input);
      return host.table.list(input, range);
    },
  };
  const noting = ledgerStore(table);
  await noting.sum(accountId);
  await noting.list(accountId, { limit: 1, offset: 0 });
  await Array.fromAsync(ledgerRows(table, accountId, { after: ' ', before: '~' }));
  expect(asked.map(({ ConsistentRead }) => ConsistentRead)).toEqual([true, true, true]);
});
