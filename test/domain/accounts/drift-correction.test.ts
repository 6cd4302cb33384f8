/** The record of a drift's correction, and that audits report each record once. */
import { beforeEach, expect, test } from 'vitest';
import { debitAccount } from '../../../shared/domain/accounts/account-store.ts';
import { correctionsSince, unreportedCorrections } from '../../../shared/domain/accounts/drift-correction.ts';
import type { LedgerRow } from '../../../shared/domain/accounts/ledger.ts';
import { appendLedgerRow } from '../../../shared/domain/accounts/ledger-store.ts';
import { reconcileAccount } from '../../../shared/domain/accounts/reconcile-account.ts';
import { accountKey } from '../../../shared/domain/keys.ts';
import { type HostedStores, stores } from '../../../shared/domain/stores.ts';
import { insertTask } from '../../../shared/domain/tasks/task-item.ts';
import { randomIds } from '../../../shared/platform/ids.ts';
import { anAccount, aTask, tableInTests, testIds, testTime } from '../../support/test-table.ts';

const clock = { now: () => testTime };

let accountId: string;
let needs: Parameters<typeof reconcileAccount>[0] & Pick<HostedStores, 'accounts'>;

const host = await tableInTests();
beforeEach(async () => {
  needs = { ...stores(host.table, clock), clock, ids: randomIds(clock) };
  const account = anAccount({ balance: 100 });
  ({ accountId } = account);
  await needs.accounts.insert(account, row(100));
});

const row = (amount: number): LedgerRow => ({ id: testIds.next(), accountId, amount, reason: 'bonus', at: testTime });

const setBalance = (balance: number) =>
  host.table.update({
    Key: accountKey(accountId),
    UpdateExpression: 'SET balance = :balance',
    ExpressionAttributeValues: { ':balance': balance },
  });

const recorded = async () => (await correctionsSince(host.table, 0)).filter((one) => one.accountId === accountId);

test('the report of a drift names the ledger row that did not change the balance', async () => {
  const grant = row(30);
  await host.table.transact([appendLedgerRow(grant)]);
  await reconcileAccount(needs, accountId);
  expect(await recorded()).toMatchObject([
    { before: 100, after: 130, sum: 130, at: testTime, cause: 'row-without-effect', suspects: [grant.id] },
  ]);
});

test('the report of a drift names the task that was debited without a ledger row', async () => {
  const task = aTask({ accountId });
  await host.table.transact([debitAccount(task), insertTask(task, testTime)]);
  await reconcileAccount(needs, accountId);
  expect(await recorded()).toMatchObject([
    { before: 100 - task.cost, after: 100, cause: 'effect-without-row', suspects: [task.taskId] },
  ]);
});

test('an account with credits but without a ledger is reported as balance-without-ledger', async () => {
  const account = anAccount({ balance: 50 });
  ({ accountId } = account);
  await needs.accounts.insert(account, undefined);
  await reconcileAccount(needs, accountId);
  expect(await recorded()).toMatchObject([{ before: 50, after: 0, cause: 'balance-without-ledger', suspects: [] }]);
});

test('a correct balance records no drift, and a drift without evidence is recorded with an unknown cause', async () => {
  await reconcileAccount(needs, accountId);
  expect(await recorded()).toEqual([]);
  await setBalance(93);
  await reconcileAccount(needs, accountId);
  expect(await recorded()).toMatchObject([{ before: 93, after: 100, cause: 'unknown', suspects: [] }]);
});

test('each corrected drift is reported until an audit has acknowledged it, and no longer after that', async () => {
  await setBalance(1);
  await reconcileAccount(needs, accountId);
  const own = async () => {
    const { drifts, remember } = await unreportedCorrections(host.table, testTime);
    return { drifts: drifts.filter((one) => one.accountId === accountId), remember };
  };
  expect((await own()).drifts).toHaveLength(1);
  const { drifts, remember } = await own();
  expect(drifts).toHaveLength(1);
  await remember();
  expect((await own()).drifts).toEqual([]);
});
