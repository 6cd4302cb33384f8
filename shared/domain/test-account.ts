/**
 * Test accounts: each account has one, which its test tokens act for. Because rows are keyed by account, the tasks,
 * credits, limits, idempotency keys and files of test tokens are separate from those of the account.
 */
const prefix = 'test-';

export const testAccountOf = (accountId: string): string => `${prefix}${accountId}`;

export const isTestAccount = (accountId: string): boolean => accountId.startsWith(prefix);

/** The account that a test account belongs to, whose owner and plan it shares; other accounts belong to themselves. */
export const liveAccountOf = (accountId: string): string =>
  isTestAccount(accountId) ? accountId.slice(prefix.length) : accountId;
