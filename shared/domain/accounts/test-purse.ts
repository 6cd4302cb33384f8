/**
 * The daily credits of a test account, which cost nothing. They are topped up once a day (UTC), when they are next used
 * or shown, and on request.
 */
import { testPurseCredits } from '../../contracts/limits.ts';
import { midnightBefore } from '../../platform/clock.ts';
import { type Action, type Table, TransactionCanceled } from '../../platform/dynamo-table.ts';
import type { Ids } from '../../platform/ids.ts';
import { accountKey } from '../keys.ts';
import { Rejection } from '../rejection.ts';
import { isTestAccount, testAccountOf } from '../test-account.ts';
import type { Account } from './account.ts';
import { toAccount } from './account-store.ts';
import { appendLedgerRow } from './ledger-store.ts';

interface Needs {
  readonly ids: Pick<Ids, 'next'>;
  readonly table: Table;
}

const filled = ({ balance }: Pick<Account, 'balance'>): number => Math.max(balance, testPurseCredits);

export const isPurseDue = ({ filledAt = 0 }: Pick<Account, 'filledAt'>, now: number): boolean =>
  filledAt < midnightBefore(now);

const adjustment = ({ ids }: Pick<Needs, 'ids'>, accountId: string, amount: number, at: number): Action =>
  appendLedgerRow({ id: ids.next(), accountId, amount, reason: 'adjustment', at });

/** How many credits can be spent at a time, whether or not they have been topped up on that day. */
export const testCreditsAt = (account: Account, now: number): number =>
  isPurseDue(account, now) ? filled(account) : account.balance;

/**
 * The writes that create an account's test account, with its daily credits; the first write fails if the test account
 * exists.
 */
export function testAccountActions(needs: Pick<Needs, 'ids'>, liveAccountId: string, now: number): Action[] {
  const accountId = testAccountOf(liveAccountId);
  // The row is in no index, so that lists and audits of accounts do not contain it. It has no owner's name or address.
  const row = { email: '', name: '', balance: testPurseCredits, features: [], createdAt: now, filledAt: now };
  return [
    { Put: { Item: { ...accountKey(accountId), ...row }, ConditionExpression: 'attribute_not_exists(pk)' } },
    adjustment(needs, accountId, testPurseCredits, now),
  ];
}

/**
 * The error for an account that does not exist. Only a test account can be missing: one that its owner has not created
 * yet.
 */
export const missingAccount = (accountId: string): Error =>
  isTestAccount(accountId)
    ? new Rejection('forbidden', { message: 'There are no test credits yet: fill them up.' })
    : new Error('token references a missing account');

/**
 * Tops up the daily credits of an account's test account on request, and creates the test account if it does not exist.
 */
export async function openTestPurse(needs: Needs, liveAccountId: string, now: number): Promise<Account> {
  const filledUp = await fillTestPurse(needs, testAccountOf(liveAccountId), now, { isDemanded: true });
  if (filledUp) return filledUp;
  try {
    await needs.table.transact(testAccountActions(needs, liveAccountId, now));
  } catch (error) {
    // Another request may have created it in the meantime.
    if (!(error instanceof TransactionCanceled) || !error.failures[0]) throw error;
  }
  return openTestPurse(needs, liveAccountId, now);
}

/**
 * Tops up a test account, by default only if that is due, and returns the account; undefined if it does not exist. A
 * balance that is already higher, because tasks of the previous day were refunded, is kept.
 */
export async function fillTestPurse(
  { ids, table }: Needs,
  accountId: string,
  now: number,
  { isDemanded = false }: { readonly isDemanded?: boolean } = {},
): Promise<Account | undefined> {
  for (;;) {
    const item = await table.get(accountKey(accountId));
    const account = item && toAccount(item);
    if (!account || !(isDemanded || isPurseDue(account, now))) return account;
    const balance = filled(account);
    const amount = balance - account.balance;
    // That the balance is unchanged does not prove that it was not topped up meanwhile: a debit may have followed.
    const fill: Action = {
      Update: {
        Key: accountKey(accountId),
        UpdateExpression: 'SET balance = :balance, filledAt = :now',
        ConditionExpression: 'balance = :balanceBefore AND filledAt = :filledBefore',
        ExpressionAttributeValues: {
          ':balance': balance,
          ':now': now,
          ':balanceBefore': account.balance,
          ':filledBefore': account.filledAt,
        },
      },
    };
    try {
      await table.transact([fill, ...(amount > 0 ? [adjustment({ ids }, accountId, amount, now)] : [])]);
      return { ...account, balance, filledAt: now };
    } catch (error) {
      // If the account has changed in the meantime, it is read again.
      if (!(error instanceof TransactionCanceled) || !error.failures[0]) throw error;
    }
  }
}
