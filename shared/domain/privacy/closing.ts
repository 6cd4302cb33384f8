/** Closes an account on request of its owner, and opens it again within a week. */
import { closedAccountDays } from '../../contracts/limits.ts';
import { type Clock, dayMs } from '../../platform/clock.ts';
import { type Action, type Item, type Table, TransactionCanceled } from '../../platform/dynamo-table.ts';
import { isOpen, lastReopeningBy } from '../accounts/closed-account.ts';
import { updateAccount } from '../accounts/update-account.ts';
import { checkTime, indexes, openClosures } from '../index-keys.ts';
import { sessionStore } from '../sessions/session-store.ts';
import { tokenStore } from '../tokens/token-store.ts';

interface Needs {
  readonly clock: Clock;
  readonly table: Table;
}

const { pk: openPk, sk: openSk } = indexes.open;

/** Further conditions, and whether the owner asks at the dashboard, rather than an operator. */
interface Terms {
  readonly given?: readonly Action[];
  readonly isByOwner?: boolean;
}

/** The entry of an account in the index of closures. */
const nextStep = (at: number) => ({
  set: [`${openPk} = :closures`, `${openSk} = :next`],
  values: { ':closures': openClosures, ':next': checkTime(at) },
});

/** Executes a transaction; false if one of its conditions fails. */
async function commits(table: Table, actions: readonly Action[]): Promise<boolean> {
  try {
    await table.transact(actions);
    return true;
  } catch (error) {
    if (error instanceof TransactionCanceled) return false;
    throw error;
  }
}

/** Revokes all tokens of an account, and ends its sessions but those that can only open it again. */
export async function shutOut({ clock, table }: Needs, accountId: string): Promise<void> {
  const tokens = tokenStore(table);
  const active = (await tokens.list(accountId)).filter(({ revokedAt }) => revokedAt === undefined);
  for (const { tokenId } of active) await tokens.revoke(accountId, tokenId, clock.now());
  await sessionStore(table).endAll(accountId, clock.now());
}

/**
 * Closes an account: its tokens are revoked and its sessions end at once, and it will be erased after a week. False if
 * it is already closed, or a further condition does not hold.
 */
export async function closeAccount(
  needs: Needs,
  accountId: string,
  { given = [], isByOwner = false }: Terms = {},
): Promise<boolean> {
  const at = needs.clock.now();
  const closing = { at, eraseAt: at + closedAccountDays * dayMs, ...(isByOwner && { isByOwner }) };
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

/** Whether and when owners can open an account again: not one that an operator has closed, and not again too soon. */
const byOwner = (now: number) => ({
  set: ['reopenedAt = :now'],
  when: ['attribute_exists(closing.isByOwner)', '(attribute_not_exists(reopenedAt) OR reopenedAt <= :before)'],
  values: { ':now': now, ':before': lastReopeningBy(now) },
});

/**
 * Opens a closed account again; false if it is not closed, its week is over, or a further condition does not hold.
 * Revoked tokens stay revoked. `isByOwner`: only if its owner has closed it, and has not opened it again recently.
 */
export const reopenAccount = (
  { clock, table }: Needs,
  accountId: string,
  { given = [], isByOwner = false }: Terms = {},
): Promise<boolean> => {
  const now = clock.now();
  const change = {
    remove: ['closing', openPk, openSk],
    when: ['closing.eraseAt > :now', 'attribute_not_exists(closing.erasingAt)'],
    values: { ':now': now },
  };
  return commits(table, [updateAccount(accountId, [change, ...(isByOwner ? [byOwner(now)] : [])]), ...given]);
};

/** Prevents the owner of a closed account from opening it again; false if that is so already, or it is not closed. */
export const keepClosed = ({ table }: Pick<Needs, 'table'>, accountId: string): Promise<boolean> =>
  commits(table, [
    updateAccount(accountId, [{ remove: ['closing.isByOwner'], when: ['attribute_exists(closing.isByOwner)'] }]),
  ]);

/** Ends the week of a closed account now, so that it cannot be opened again; false if it is not closed. */
export const endWeek = ({ clock, table }: Needs, accountId: string): Promise<boolean> => {
  const now = clock.now();
  const { set, values } = nextStep(now);
  const change = {
    set: ['closing.eraseAt = :now', ...set],
    when: ['attribute_exists(closing)'],
    values: { ...values, ':now': now },
  };
  return commits(table, [updateAccount(accountId, [change])]);
};

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

/** Schedules the next step for a closed account, unless the account has been opened again. */
export const scheduleStep = ({ table }: Pick<Needs, 'table'>, accountId: string, at: number): Promise<boolean> =>
  commits(table, [updateAccount(accountId, [{ ...nextStep(at), when: [`attribute_exists(${openPk})`] }])]);

/**
 * Schedules the erasure of a closed account that has nothing running any more. Does nothing, and returns false, if the
 * account has meanwhile been opened, closed again or marked for immediate erasure.
 */
export const scheduleErasure = (
  { table }: Pick<Needs, 'table'>,
  accountId: string,
  eraseAt: number,
): Promise<boolean> => {
  const { set, values } = nextStep(eraseAt);
  const change = { set, when: ['closing.eraseAt = :eraseAt'], values: { ...values, ':eraseAt': eraseAt } };
  return commits(table, [updateAccount(accountId, [change])]);
};

/** The entries of accounts whose next step is due by a time, the longest overdue first. */
export function closureEntries(table: Table, by: number, atMost: number): Promise<Item[]> {
  const query = {
    IndexName: 'open',
    KeyConditionExpression: '#pk = :pk AND #sk <= :by',
    ExpressionAttributeNames: { '#pk': openPk, '#sk': openSk },
    ExpressionAttributeValues: { ':pk': openClosures, ':by': checkTime(by) },
  };
  return table.list(query, { limit: atMost, offset: 0 });
}
