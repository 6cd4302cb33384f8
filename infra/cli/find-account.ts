/** Finds the account that a command is for. */
import type { Account } from '../../shared/domain/accounts/account.ts';
import { commandFailed } from './exit-error.ts';
import type { Service } from './service.ts';

const noAccount = (accountId: string) =>
  commandFailed(`There is no account ${accountId}: "account list" shows all of them.`);

/** Finds an account. @throws {ExitError} if it does not exist */
export async function findAccount({ accounts }: Service, accountId: string): Promise<Account> {
  const account = await accounts.find(accountId);
  if (!account) throw noAccount(accountId);
  return account;
}
