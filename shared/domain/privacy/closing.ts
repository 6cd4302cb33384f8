/** Closes an account on request of its owner, and opens it again within a week. */
import type { Clock } from '../../platform/clock.ts';
import { type Action, type Table, TransactionCanceled } from '../../platform/dynamo-table.ts';
import { isOpen } from '../accounts/account-store.ts';
import { updateAccount } from '../accounts/update-account.ts';
import { checkTime, indexes, openClosures } from '../index-keys.ts';
import { accountIdOf } from '../keys.ts';
import { sessionStore } from '../sessions/session-store.ts';
import { tokenStore } from '../tokens/token-store.ts';

/** How long a closed account can be opened again. */
export const undoDays = 7;

interface Needs {
  readonly clock: Clock;
  readonly table: Table;
}

const { pk: openPk, sk: openSk } = indexes.open;

/** The entry of an account in the index of closures. */
const nextStep = (at: number) => ({
  set: [`${openPk} = :closures`, `${openSk} = :next`],
  values: { ':closures': openClosures, ':next': checkTime(at) },
});

/** Commits; false if a condition fails. */
async function commits(table: Table, actions: readonly Action[]): Promise<boolean> {
  try {
    await table.transact(actions);
    return true;
  } catch (error) {
    if (error instanceof TransactionCanceled) return false;
    throw error;
  }
}

/** Revokes all tokens and ends all sessions of an account. */
export async function shutOut({ clock, table }: Needs, accountId: string): Promise<void> {
  const tokens = tokenStore(table);
  const active = (await tokens.list(accountId)).filter(({ revokedAt }) => revokedAt === undefined);
  for (const { tokenId } of active) await tokens.revoke(accountId, tokenId, clock.now());
  await sessionStore(table).endAll(accountId, clock.now());
}

/**
 * Closes an account: its tokens and sessions stop at once, and it will be erased after a week. False if it is closed
 * already, or a further condition does not hold.
 */
export async function closeAccount(needs: Needs, accountId: string, given: readonly Action[] = []): Promise<boolean> {
  const at = needs.clock.now();
  const closing = { at, eraseAt: at + undoDays * 24 * 3_600_000 };
  const entry = nextStep(at);
  const change = {
    set: ['closing = :closing', ...entry.set],
    when: [isOpen],
    values: { ...entry.values, ':closing': closing },
  };
  if (!(await commits(needs.table, [updateAccount(accountId, [change]), ...given]))) return false;
  await shutOut(needs, accountId);
  return true;
}

/** Opens a closed account again; false if it is not closed, or its week is over. Revoked tokens stay revoked. */
export const reopenAccount = (
  { clock, table }: Needs,
  accountId: string,
  given: readonly Action[] = [],
): Promise<boolean> =>
  commits(table, [
    updateAccount(accountId, [
      {
        remove: ['closing', openPk, openSk],
        when: ['closing.eraseAt > :now', 'attribute_not_exists(closing.erasingAt)'],
        values: { ':now': clock.now() },
      },
    ]),
    ...given,
  ]);

/** Ends the week of a closed account now, so that it cannot be opened again; false if it is not closed. */
export const endWeek = ({ clock, table }: Needs, accountId: string): Promise<boolean> =>
  commits(table, [
    updateAccount(accountId, [
      { set: ['closing.eraseAt = :now'], when: ['attribute_exists(closing)'], values: { ':now': clock.now() } },
    ]),
  ]);

/** Begins the erasure of an account whose week is over; false if it has been opened again. It can be repeated. */
export const beginErasure = ({ clock, table }: Needs, accountId: string): Promise<boolean> =>
  commits(table, [
    updateAccount(accountId, [
      {
        set: ['closing.erasingAt = if_not_exists(closing.erasingAt, :now)'],
        when: ['(closing.eraseAt <= :now OR attribute_exists(closing.erasingAt))'],
        values: { ':now': clock.now() },
      },
    ]),
  ]);

/** Has the next step done at a time, unless the account has been opened again. */
export const scheduleStep = ({ table }: Pick<Needs, 'table'>, accountId: string, at: number): Promise<boolean> =>
  commits(table, [updateAccount(accountId, [{ ...nextStep(at), when: [`attribute_exists(${openPk})`] }])]);

/** The accounts whose next step is due, the longest overdue first. */
export async function* dueClosures({ clock, table }: Needs): AsyncGenerator<string> {
  const keys = table.walk({
    IndexName: 'open',
    KeyConditionExpression: '#pk = :pk AND #sk <= :now',
    ExpressionAttributeNames: { '#pk': openPk, '#sk': openSk },
    ExpressionAttributeValues: { ':pk': openClosures, ':now': checkTime(clock.now()) },
  });
  for await (const key of keys) yield accountIdOf(key);
}
