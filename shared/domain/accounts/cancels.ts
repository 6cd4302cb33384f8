/**
 * Limits how many of its tasks an account cancels on a day (UTC): a canceled task is refunded, although its engine may
 * charge for the work that it has begun.
 */
import { cancelsPerDay, longResultsPerDay, tasksPerCancel } from '../../contracts/limits.ts';
import { secondsToMidnight } from '../../platform/clock.ts';
import type { Table } from '../../platform/dynamo-table.ts';
import { Rejection } from '../rejection.ts';
import type { Account } from './account.ts';
import { barOn } from './charged-failures.ts';
import { countOn, isWithin, raiseCount } from './day-count.ts';
import { observedUntil } from './long-results.ts';
import type { Clauses } from './update-account.ts';

export interface Cancel {
  readonly accountId: string;
  readonly at: number;
  /** Whether the price of the task depends on the duration of a file. */
  readonly isByFile: boolean;
  /** Whether the limit applies; without it, the cancel is only counted. */
  readonly isLimited: boolean;
}

const allowance = { perDay: cancelsPerDay, tasksPer: tasksPerCancel };

/** Whether an account that has canceled so many tasks today may cancel another one. */
async function isAllowed(table: Table, account: Pick<Account, 'latestLongResultAt'>, cancel: Cancel, count: number) {
  // While the account is under observation after a long result, such cancels are limited like long results: an engine
  // may work for long on a file that the service misread.
  if (cancel.isByFile && observedUntil(account, cancel.at) !== undefined) return count < longResultsPerDay;
  return isWithin(table, cancel, allowance, count);
}

/**
 * Counts the cancellation of a task; the write fails if the account has counted another one since it was read. Without the
 * limit, one too many bars the account like too many charged failures: closing and reopening it must not help.
 * @throws {Rejection} rate-limited, if the account has canceled as many tasks today as it may
 */
export async function countCancel(
  table: Table,
  account: Pick<Account, 'cancels' | 'latestLongResultAt'>,
  cancel: Cancel,
): Promise<readonly Clauses[]> {
  const count = countOn(account.cancels, cancel.at);
  const counted = raiseCount('cancels', account, cancel.at);
  if (await isAllowed(table, account, cancel, count)) return [counted];
  if (cancel.isLimited) {
    throw new Rejection('rate-limited', {
      message: `The account has canceled ${count} tasks today (UTC) and can cancel no more: let this one end, or wait for the number of seconds in Retry-After.`,
      retryAfterSeconds: secondsToMidnight(cancel.at),
    });
  }
  return [counted, barOn(cancel.at)];
}
