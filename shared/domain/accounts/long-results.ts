/**
 * Limits the loss from misread files: a result longer than what was paid for is refunded, although its engine is paid.
 */
import { longResultsPerDay } from '../../contracts/limits.ts';
import { midnightBefore, secondsToMidnight } from '../../platform/clock.ts';
import { Rejection } from '../rejection.ts';
import type { Account } from './account.ts';
import type { Clauses } from './update-account.ts';

const oldest = 'oldestLongResultAt' satisfies keyof Account;

/** The attributes of an account's row for the times of its last long results, newest first. */
const times = [...Array.from({ length: longResultsPerDay - 1 }, (_, index) => `longResult${index + 1}At`), oldest];

/**
 * Inserts a time before the others and drops the oldest one. Update expressions read the row as it was before the
 * update.
 */
export const addLongResult = (at: number): Clauses => ({
  set: times.map((name, index) =>
    index === 0 ? `${name} = :longResultAt` : `${name} = if_not_exists(${times[index - 1]}, :never)`,
  ),
  values: { ':longResultAt': at, ':never': 0 },
});

/** The condition on an account's row that it may create a task at this time. */
export const belowLongResultsLimit = (now: number) => ({
  condition: `(attribute_not_exists(${oldest}) OR ${oldest} < :midnight)`,
  values: { ':midnight': midnightBefore(now) },
});

export const exceedsLongResults = ({ oldestLongResultAt = 0 }: Pick<Account, typeof oldest>, now: number): boolean =>
  oldestLongResultAt >= midnightBefore(now);

export const tooManyLongResults = (now: number): Rejection =>
  new Rejection('rate-limited', {
    message: `${longResultsPerDay} tasks of the account had results today (UTC) that were longer than what was paid for: wait for the number of seconds in Retry-After.`,
    retryAfterSeconds: secondsToMidnight(now),
  });
