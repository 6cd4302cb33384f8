/** Finds the subjects of acts. */
import type { Account } from '../accounts/account.ts';
import { Rejection } from '../rejection.ts';
import type { Stores } from '../stores.ts';

export const missing = (what: string): Rejection => new Rejection('not-found', { message: `There is no ${what}.` });

/** @throws {Rejection} not-found */
export async function findAccount({ accounts }: Pick<Stores, 'accounts'>, accountId: string): Promise<Account> {
  const account = await accounts.find(accountId);
  if (!account) throw missing(`account ${accountId}`);
  return account;
}

/** The subject of an act on an account itself. */
export const aboutAccount = (accountId: string) =>
  ({ of: `account/${accountId}`, subject: `account ${accountId}` }) as const;

/** The subject of an act on something that belongs to an account. */
export const aboutPartOf = (accountId: string, subject: string) => ({ of: `account/${accountId}`, subject }) as const;
