/** The operations that change an account's balance and slots, on the real table. */

import { beforeEach, describe, expect, test } from 'vitest';
import type { Feature } from '../../../shared/contracts/features.ts';
import { simultaneousTasks } from '../../../shared/contracts/limits.ts';
import { type AccountPostings, accountPostings } from '../../../shared/domain/accounts/account-postings.ts';
import {
  type AccountStore,
  accountStore,
  debitAccount,
  releaseSlot,
  shortageOf,
  toAccount,
} from '../../../shared/domain/accounts/account-store.ts';
import type { LedgerRow } from '../../../shared/domain/accounts/ledger.ts';
import { type LedgerStore, ledgerStore } from '../../../shared/domain/accounts/ledger-store.ts';
import { accountKey } from '../../../shared/domain/keys.ts';
import { TransactionCanceled } from '../../../shared/platform/dynamo-table.ts';
import { anAccount, tableInTests, testIds, testTable, testTime } from '../../support/test-table.ts';

let accounts: AccountStore & AccountPostings;
let ledger: LedgerStore;

const host = await tableInTests();
const { table } = host;
beforeEach(() => {
  accounts = { ...accountStore(table), ...accountPostings(table) };
  ledger = ledgerStore(table);
});

const aRow = (accountId: string, amount: number): LedgerRow => ({
  id: testIds.next(),
  accountId,
  amount,
  reason: 'adjustment',
  at: testTime,
});

/** Creates an account and returns its id. */
async function insert(balance: number): Promise<string> {
  const account = anAccount({ balance });
  await accounts.insert(account, undefined);
  return account.accountId;
}

const failureOf = async (work: Promise<unknown>): Promise<TransactionCanceled> => {
  const error: unknown = await work.then(
    () => 'no failure',
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(TransactionCanceled);
  return error as TransactionCanceled;
};

const debit = (accountId: string, cost: number, taskId = testIds.next()) =>
  table.transact([debitAccount({ accountId, taskId, cost })]);

describe('a debit', () => {
  test('subtracts the cost and occupies a slot, down to the last credit', async () => {
    const accountId = await insert(10);
    const [one, other] = [testIds.next(), testIds.next()];
    await debit(accountId, 7, one);
    await debit(accountId, 3, other);
    expect(await accounts.find(accountId)).toMatchObject({ balance: 0, openTasks: [one, other] });
  });

  test('that costs one credit more than the balance changes nothing and returns the account', async () => {
    const accountId = await insert(10);
    const { failures } = await failureOf(debit(accountId, 11));
    expect(toAccount(failures[0]?.item ?? {})).toMatchObject({ accountId, balance: 10, openTasks: [] });
    expect(await accounts.find(accountId)).toMatchObject({ balance: 10, openTasks: [] });
  });

  test(`is accepted for the ${simultaneousTasks}th open task and rejected for one more, and a released slot can be reused`, async () => {
    const accountId = await insert(100);
    const taskIds = Array.from({ length: simultaneousTasks }, () => testIds.next());
    for (const taskId of taskIds) await debit(accountId, 1, taskId);
    const { failures } = await failureOf(debit(accountId, 1));
    expect(toAccount(failures[0]?.item ?? {})).toMatchObject({ balance: 80, openTasks: taskIds });
    await table.transact([releaseSlot({ accountId, taskId: taskIds[0] ?? '', credits: 0 })]);
    await debit(accountId, 1);
    expect(await accounts.find(accountId)).toMatchObject({ balance: 79, openTasks: { length: simultaneousTasks } });
  });

  test('for an operation that needs a plan feature is accepted only if the account has the feature', async () => {
    const account = anAccount({ balance: 10, features: ['studio'] });
    await accounts.insert(account, undefined);
    const { accountId } = account;
    const debitFor = (feature: Feature) =>
      table.transact([debitAccount({ accountId, taskId: testIds.next(), cost: 4, feature })]);
    await failureOf(debitFor('cortes'));
    expect(await accounts.find(accountId)).toStrictEqual(account);
    await debitFor('studio');
    expect(await accounts.find(accountId)).toMatchObject({ balance: 6, openTasks: { length: 1 } });
  });

  test('is rejected for a missing account and does not create it', async () => {
    const accountId = testIds.next();
    const { failures } = await failureOf(debit(accountId, 0));
    expect(failures).toEqual([{ item: undefined }]);
    expect(await accounts.find(accountId)).toBeUndefined();
  });
});

describe('releasing a slot', () => {
  test('frees only that slot and refunds the credits', async () => {
    const accountId = await insert(10);
    const [ended, open] = [testIds.next(), testIds.next()];
    for (const taskId of [ended, open]) await debit(accountId, 4, taskId);
    await table.transact([releaseSlot({ accountId, taskId: ended, credits: 4 })]);
    expect(await accounts.find(accountId)).toMatchObject({ balance: 6, openTasks: [open] });
    await table.transact([releaseSlot({ accountId, taskId: open, credits: 0 })]);
    expect(await accounts.find(accountId)).toMatchObject({ balance: 6, openTasks: [] });
  });

  test('is rejected for a missing account and does not create it', async () => {
    const accountId = testIds.next();
    await failureOf(table.transact([releaseSlot({ accountId, taskId: testIds.next(), credits: 5 })]));
    expect(await accounts.find(accountId)).toBeUndefined();
  });
});

describe('the reason why a debit is rejected', () => {
  const openTasks = (count: number) => Array.from({ length: count }, (_, index) => `task ${index}`);

  test.for([
    [5, 0, 5, 'none', undefined],
    [4, 0, 5, 'the balance', 'balance'],
    [5, simultaneousTasks - 1, 5, 'none', undefined],
    [5, simultaneousTasks, 5, 'the lack of a slot', 'slots'],
    [4, simultaneousTasks, 5, 'the balance', 'balance'],
  ] as const)(
    'with a balance of %i credits, %i open tasks and a cost of %i credits is %s',
    ([balance, open, cost, , lacking]) => {
      expect(shortageOf(anAccount({ balance, openTasks: openTasks(open) }), { cost })).toBe(lacking);
    },
  );

  test('is the missing plan feature if both the feature and credits are missing', () => {
    const account = anAccount({ balance: 0, features: ['piloto'] });
    expect(shortageOf(account, { cost: 5, feature: 'cortes' })).toBe('feature');
    expect(shortageOf(account, { cost: 5, feature: 'piloto' })).toBe('balance');
  });
});

describe('an account row', () => {
  test('is the same after it was stored and read, with only the required attributes and with all of them', async () => {
    const plain = anAccount();
    const rich = anAccount({ planId: 'pro', features: ['studio'], balance: 0 });
    for (const account of [plain, rich]) {
      await accounts.insert(account, undefined);
      expect(await accounts.find(account.accountId)).toStrictEqual(account);
    }
    expect(await accounts.find(testIds.next())).toBeUndefined();
  });

  test('is stored without an attribute for open tasks if there are none', async () => {
    const account = anAccount();
    await accounts.insert(account, undefined);
    expect(await table.get(accountKey(account.accountId))).not.toHaveProperty('openTasks');
  });

  test('is read with its open tasks in order, and with no tasks or features if none are stored', () => {
    const { openTasks: _none, features: _neither, ...stored } = anAccount({ accountId: 'a' });
    const item = { ...accountKey('a'), ...stored };
    expect(toAccount(item)).toStrictEqual(anAccount({ accountId: 'a' }));
    expect(toAccount({ ...item, openTasks: new Set(['c', 'a', 'b']) }).openTasks).toEqual(['a', 'b', 'c']);
  });

  test('is inserted together with the ledger row of its first credits', async () => {
    const account = anAccount({ balance: 50 });
    const opening = { ...aRow(account.accountId, 50), reason: 'bonus' } as const;
    await accounts.insert(account, opening);
    expect(await ledger.list(account.accountId, { limit: 10, offset: 0 })).toEqual([opening]);
    const without = await insert(0);
    expect(await ledger.list(without, { limit: 10, offset: 0 })).toEqual([]);
  });

  test('never overwrites an existing account', async () => {
    const account = anAccount();
    await accounts.insert(account, undefined);
    await failureOf(accounts.insert({ ...account, balance: 9999 }, aRow(account.accountId, 9999)));
    expect(await accounts.find(account.accountId)).toStrictEqual(account);
    expect(await ledger.sum(account.accountId)).toBe(0);
  });
});

describe('posting a ledger row', () => {
  test.for([
    ['adds credits', 5, 15],
    ['adds credits to an empty account', 5, 5],
    ['takes credits', -4, 6],
    ['takes all credits', -10, 0],
  ] as const)('that %s changes the balance by its amount and adds the row to the ledger', async ([, amount, after]) => {
    const accountId = await insert(after - amount);
    const row = aRow(accountId, amount);
    expect(await accounts.post(row)).toBe('posted');
    expect(await accounts.find(accountId)).toMatchObject({ balance: after });
    expect(await ledger.list(accountId, { limit: 10, offset: 0 })).toEqual([row]);
  });

  test('that takes more credits than the balance is rejected as insufficient and has no effect', async () => {
    const accountId = await insert(10);
    expect(await accounts.post(aRow(accountId, -11))).toBe('insufficient');
    expect(await accounts.find(accountId)).toMatchObject({ balance: 10 });
    expect(await ledger.sum(accountId)).toBe(0);
  });

  test('for a missing account has no effect', async () => {
    const accountId = testIds.next();
    for (const amount of [5, -5]) expect(await accounts.post(aRow(accountId, amount))).toBe('missing');
    expect(await accounts.find(accountId)).toBeUndefined();
    expect(await ledger.sum(accountId)).toBe(0);
  });

  test('fails and has no effect if the row is already posted', async () => {
    const accountId = await insert(10);
    const row = aRow(accountId, 5);
    await accounts.post(row);
    await failureOf(accounts.post(row));
    expect(await accounts.find(accountId)).toMatchObject({ balance: 15 });
  });

  test('throws the table’s error when the table does not respond', async () => {
    const failure = new Error('no response');
    const silent = accountPostings({ ...table, transact: () => Promise.reject(failure) });
    await expect(silent.post(aRow(testIds.next(), 5))).rejects.toBe(failure);
  });
});

test('account ids are listed oldest first, all of them or those after a given id, without other rows', async () => {
  const own = await testTable();
  const store = { ...accountStore(own.table), ...accountPostings(own.table) };
  const all = Array.from({ length: 3 }, () => anAccount());
  for (const account of all.toReversed()) await store.insert(account, aRow(account.accountId, account.balance));
  const accountIds = all.map(({ accountId }) => accountId);
  expect(await Array.fromAsync(store.ids())).toEqual(accountIds);
  expect(await Array.fromAsync(store.ids(accountIds[0]))).toEqual(accountIds.slice(1));
  await own.close();
});
