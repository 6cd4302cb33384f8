/** Marks sessions of closed accounts, which can do nothing but open the account again. */
import { type Action, type Table, TransactionCanceled } from '../../platform/dynamo-table.ts';
import { requireOpen } from '../accounts/closed-account.ts';
import { sessionKey } from '../keys.ts';
import type { Session } from './session.ts';

/** Marks the session that closes its account, on the condition that confirms the owner. */
export function markOfClosed({ ConditionCheck: confirmation }: Action): Action {
  if (!confirmation) throw new Error('an owner is confirmed by a condition on their session');
  const { ExpressionAttributeValues, ...rest } = confirmation;
  return {
    Update: {
      ...rest,
      UpdateExpression: 'SET isOfClosed = :isOfClosed',
      ExpressionAttributeValues: { ...ExpressionAttributeValues, ':isOfClosed': true },
    },
  };
}

/** Removes the mark. */
export const unmarkOfClosed = (digest: string): Action => ({
  Update: {
    Key: sessionKey(digest),
    UpdateExpression: 'REMOVE isOfClosed',
    ConditionExpression: 'attribute_exists(pk)',
  },
});

/** Removes the mark of a session whose account has been opened elsewhere, unless it is closed again. */
export async function unmarkIfOpen(
  table: Table,
  { accountId, isOfClosed }: Pick<Session, 'accountId' | 'isOfClosed'>,
  digest: string,
): Promise<void> {
  if (!isOfClosed) return;
  await table.transact([unmarkOfClosed(digest), requireOpen(accountId)]).catch((error: unknown) => {
    if (!(error instanceof TransactionCanceled)) throw error;
  });
}
