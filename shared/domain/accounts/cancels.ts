/**
 * Limits how many of its tasks an account cancels on a day (UTC): a canceled task is refunded, although its engine may
 * charge for the work that it has begun.
 */
import { cancelsPerDay, longResultsPerDay } from '../../contracts/limits.ts';
import { dayMs, midnightBefore, secondsToMidnight } from '../../platform/clock.ts';
import type { Table } from '../../platform/dynamo-table.ts';
import { Rejection } from '../rejection.ts';
import type { Account } from './account.ts';
import { barOn } from './charged-failures.ts';
import { type CountedEnd, countOn, isWithin, raiseCount } from './day-count.ts';
import { observedUntil } from './long-results.ts';
import type { Clauses } from './update-account.ts';

export interface Cancel extends CountedEnd {
  /** Whether the price of the task depends on the duration of a file. */
  readonly isByFile: boolean;
  /** Whether the limit applies; without it, the cancel is only counted. */
  readonly isLimited: boolean;
}

type Seen = Pick<Account, 'cancels' | 'latestLongResultAt'>;

async function isAllowed(table: Table, account: Seen, cancel: Cancel): Promise<boolean> {
  // While the account is under observation after a long result, such cancels are limited like long results: an engine
  // may work for long on a file that the service misread.
  const isObserved = cancel.isByFile && observedUntil(account, cancel.at) !== undefined;
  if (isObserved && countOn(account.cancels, cancel.at) >= longResultsPerDay) return false;
  return isWithin(table, cancel, cancelsPerDay, account.cancels);
}

/**
 * Until when the account can cancel not even a task of one credit; undefined if it can. The ledger is read only if the
 * account has canceled much today, and only until the allowance is found.
 */
export async function cancelsRejectedUntil(
  table: Table,
  { accountId, cancels }: Pick<Account, 'accountId' | 'cancels'>,
  now: number,
): Promise<number | undefined> {
  const isAllowedAnother = await isWithin(table, { accountId, at: now, credits: 1 }, cancelsPerDay, cancels);
  return isAllowedAnother ? undefined : midnightBefore(now) + dayMs;
}

/**
 * Counts the cancellation of a task; the write fails if the account has counted another one since it was read. Without the
 * limit, one too many bars the account like too many charged failures: closing and reopening it must not help.
 * @throws {Rejection} rate-limited, if the account has canceled as many tasks today as it may
 */
export async function countCancel(table: Table, account: Seen, cancel: Cancel): Promise<readonly Clauses[]> {
  const { counted, ...raised } = raiseCount('cancels', account, cancel);
  if (await isAllowed(table, account, cancel)) return [raised];
  if (cancel.isLimited) {
    throw new Rejection('rate-limited', {
      message: `The account has canceled ${counted.count - 1} tasks today (UTC), which cost ${counted.credits - cancel.credits} credits, and cannot cancel this one, which costs ${cancel.credits}: let it end, or wait for the number of seconds in Retry-After.`,
      retryAfterSeconds: secondsToMidnight(cancel.at),
    });
  }
  return [raised, barOn(cancel.at)];
}
