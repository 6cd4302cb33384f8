/** What closed accounts are, and the conditions on transactions that they must not, or must, meet. */
import { daysBetweenReopenings } from '../../contracts/limits.ts';
import { dayMs, timestamp } from '../../platform/clock.ts';
import type { Action } from '../../platform/dynamo-table.ts';
import { accountKey } from '../keys.ts';
import { Rejection } from '../rejection.ts';
import type { Account } from './account.ts';

/** The condition that an account is neither closing nor erased. */
export const isOpen = 'attribute_not_exists(closing) AND attribute_not_exists(erasedAt)';

/** Requires in a transaction that an account is neither closing nor erased. */
export const requireOpen = (accountId: string): Action => ({
  ConditionCheck: { Key: accountKey(accountId), ConditionExpression: `attribute_exists(pk) AND ${isOpen}` },
});

/** Fails a transaction if an account is closing or erased. */
export const unlessClosed = (accountId: string): Action => ({
  ConditionCheck: { Key: accountKey(accountId), ConditionExpression: isOpen },
});

/** Whether an account, or its row, is closing or erased. */
export const isClosed = ({ closing, erasedAt }: { readonly closing?: unknown; readonly erasedAt?: unknown }): boolean =>
  closing !== undefined || erasedAt !== undefined;

/** An owner who opened an account again after this time cannot do so once more. */
export const lastReopeningBy = (now: number): number => now - daysBetweenReopenings * dayMs;

/** Whether the owner may still enter a closed account to open it again. */
export const isEnterable = ({ closing, erasedAt }: Pick<Account, 'closing' | 'erasedAt'>): boolean =>
  erasedAt === undefined && closing?.isByOwner === true && closing.erasingAt === undefined;

/** When a closed account was closed and will be erased; undefined if it is not closed, or erased already. */
export const closureOf = (account: Pick<Account, 'closing' | 'erasedAt' | 'reopenedAt'>, now: number) =>
  account.closing && {
    closedAt: timestamp(account.closing.at),
    eraseAt: timestamp(account.closing.eraseAt),
    isReopenable: isEnterable(account) && (account.reopenedAt ?? 0) <= lastReopeningBy(now),
  };

const timeOrNull = (at: number | undefined): string | null => (at === undefined ? null : timestamp(at));

/** When an account was closed, will be erased, and was erased, as operators see it: null if it is not so. */
export const presentClosure = ({ closing, erasedAt }: Pick<Account, 'closing' | 'erasedAt'>) => ({
  closedAt: timeOrNull(closing?.at),
  eraseAt: timeOrNull(closing?.eraseAt),
  erasedAt: timeOrNull(erasedAt),
});

/** Requires in a transaction that an account is one that its owner closed and may still open again. */
export const requireEnterable = (accountId: string): Action => ({
  ConditionCheck: {
    Key: accountKey(accountId),
    ConditionExpression: 'closing.isByOwner = :true AND attribute_not_exists(closing.erasingAt)',
    ExpressionAttributeValues: { ':true': true },
  },
});

export const accountClosed = (): Rejection => new Rejection('forbidden', { message: 'The account is closed.' });
