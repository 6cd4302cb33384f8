/** Finds the e-mail addresses by which operators know accounts. */
import type { Table } from '../../platform/dynamo-table.ts';
import { accountKey } from '../keys.ts';
import { liveAccountOf } from '../test-account.ts';

/** Returns the e-mail address of the owner of an account, or of the live account of a test account; null if it has none. */
export type EmailOf = (accountId: string | null | undefined) => string | null;

/** Reads the addresses of at most 100 accounts at once. Rows that cannot be read have none: they must not close a list. */
export async function ownerEmails(
  table: Pick<Table, 'getMany'>,
  accountIds: readonly (string | null | undefined)[],
): Promise<EmailOf> {
  const ids = new Set(accountIds.flatMap((accountId) => (accountId ? [liveAccountOf(accountId)] : [])));
  const rows = ids.size === 0 ? [] : await table.getMany([...ids].map(accountKey));
  const emails = new Map(rows.map(({ pk, email }) => [pk, email]));
  return (accountId) => {
    const email = accountId ? emails.get(accountKey(liveAccountOf(accountId)).pk) : undefined;
    return typeof email === 'string' && email !== '' ? email : null;
  };
}
