/**
 * Limits the loss from files whose duration the service misread. A long result is a task whose price depends on the
 * duration of a file, and whose engine may have worked for longer than was paid for: the task is refunded, although the
 * engine charges for it.
 */
import { longResultsPerDay, observationDays } from '../../contracts/limits.ts';
import { dayMs, midnightBefore, secondsToMidnight } from '../../platform/clock.ts';
import type { Action } from '../../platform/dynamo-table.ts';
import { Rejection } from '../rejection.ts';
import type { Account } from './account.ts';
import { type Clauses, updateAccount } from './update-account.ts';

const latest = 'latestLongResultAt' satisfies keyof Account;
const oldest = 'oldestLongResultAt' satisfies keyof Account;

/** The attributes of an account's row for the times of its last long results, newest first. */
const times = [
  latest,
  ...Array.from({ length: longResultsPerDay - 2 }, (_, index) => `longResult${index + 2}At`),
  oldest,
];

type Watched = Pick<Account, typeof latest | typeof oldest | 'openFileTasks'>;

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

/** Since when a long result counts: an account with one that is more recent is under observation. */
const observedFrom = (now: number): number => now - observationDays * dayMs;

/** When the observation of an account ends; undefined if it is not under observation. */
export function observedUntil({ latestLongResultAt = 0 }: Pick<Account, typeof latest>, now: number) {
  return latestLongResultAt >= observedFrom(now) ? latestLongResultAt + observationDays * dayMs : undefined;
}

/**
 * Clears the long results, cancels and charged failures of an account for an operator; the operator's reason is stored in the account.
 */
export const liftLimits = (accountId: string, lift: NonNullable<Account['limitsLifted']>): Action =>
  updateAccount(accountId, [
    {
      set: ['limitsLifted = :lift'],
      remove: [...times, 'cancels', 'chargedFailures', 'barredOn'],
      values: { ':lift': lift },
    },
  ]);

/**
 * The condition on an account's row under which the account may create a task whose price depends on the duration of a
 * file.
 */
export const withinLongResultLimits = (now: number) => ({
  condition:
    `(attribute_not_exists(${oldest}) OR ${oldest} < :midnight) AND ` +
    `(attribute_not_exists(openFileTasks) OR attribute_not_exists(${latest}) OR ${latest} < :observedFrom)`,
  values: { ':midnight': midnightBefore(now), ':observedFrom': observedFrom(now) },
});

/** When an account with too many long results today may create such tasks again; undefined if it may now. */
export const barredUntil = ({ oldestLongResultAt = 0 }: Pick<Watched, typeof oldest>, now: number) =>
  oldestLongResultAt >= midnightBefore(now) ? midnightBefore(now) + dayMs : undefined;

/**
 * Which limit the account has reached, if any: that of long results per day, or that of open tasks while under
 * observation.
 */
export function longResultLimitOf(account: Watched, now: number): 'long-results' | 'file-slot' | undefined {
  if (barredUntil(account, now) !== undefined) return 'long-results';
  const isObserved = observedUntil(account, now) !== undefined;
  return isObserved && (account.openFileTasks ?? []).length > 0 ? 'file-slot' : undefined;
}

export const tooManyLongResults = (now: number): Rejection =>
  new Rejection('rate-limited', {
    message: `${longResultsPerDay} tasks of the account counted as longer than what was paid for today (UTC): wait for the number of seconds in Retry-After.`,
    retryAfterSeconds: secondsToMidnight(now),
  });
