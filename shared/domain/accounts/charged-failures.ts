/**
 * Limits what an account costs by its own faults. A charged failure is a task that failed because of its content or its
 * input, and whose engine charges nevertheless: the task is refunded. After too many of them on a day (UTC), the account
 * can create no task whose engine charges until midnight.
 */
import type { EnginePrice } from '../../catalog/engine-price.ts';
import type { TaskErrorCode } from '../../contracts/errors.ts';
import { chargedFailuresPerDay } from '../../contracts/limits.ts';
import { dayMs, midnightBefore, secondsToMidnight } from '../../platform/clock.ts';
import type { Table } from '../../platform/dynamo-table.ts';
import { Rejection } from '../rejection.ts';
import type { Account } from './account.ts';
import { type CountedEnd, countOn, isWithin, raiseCount } from './day-count.ts';
import type { Clauses } from './update-account.ts';

/**
 * Whether an end is a charged failure. Faults of engines are none, although some are charged: an outage would bar accounts
 * that did nothing wrong. They open circuits instead. But a fault that the account may have caused counts: where the price
 * depends on a file, where the engine made something that cannot be delivered, as some inputs make models do, or where the
 * service itself failed with files of the account. A cheap task in between would keep the circuit closed.
 */
export const isChargedFailure = (code: TaskErrorCode, costMicros: number, mayBeByInput: boolean): boolean =>
  costMicros > 0 &&
  (code === 'CONTENT_REJECTED' ||
    code === 'INPUT_INVALID' ||
    (mayBeByInput && (code === 'PROVIDER_ERROR' || code === 'INTERNAL_ERROR')));

/** Whether the engine of a task with these prices charges anything. */
export const isCharged = (prices: Readonly<Record<string, EnginePrice>> = {}): boolean =>
  Object.values(prices).some(({ micros }) => micros > 0);

/**
 * Counts a charged failure; the write fails if the account has counted another one since it was read. The one that uses
 * the allowance up bars the account. It stays barred until midnight: it creates no tasks that would raise the allowance.
 */
export async function countChargedFailure(
  table: Table,
  account: Pick<Account, 'chargedFailures'>,
  end: CountedEnd,
): Promise<readonly Clauses[]> {
  const { counted, ...raised } = raiseCount('chargedFailures', account, end);
  const isAllowedAnother = await isWithin(table, { ...end, credits: 1 }, chargedFailuresPerDay, counted);
  return isAllowedAnother ? [raised] : [raised, barOn(end.at)];
}

/** Bars an account from creating tasks whose engine charges, for the rest of the day. */
export const barOn = (at: number): Clauses => ({
  set: ['barredOn = :barredOn'],
  values: { ':barredOn': midnightBefore(at) },
});

/** The condition on an account's row under which the account may create a task whose engine charges. */
export const withinChargedFailures = (now: number) => ({
  condition: '(attribute_not_exists(barredOn) OR barredOn < :barredToday)',
  values: { ':barredToday': midnightBefore(now) },
});

/** When an account with too many charged failures today may create such tasks again; undefined if it may now. */
export const chargesBarredUntil = ({ barredOn = 0 }: Pick<Account, 'barredOn'>, now: number) =>
  barredOn >= midnightBefore(now) ? midnightBefore(now) + dayMs : undefined;

export const tooManyChargedFailures = ({ chargedFailures }: Account, now: number): Rejection =>
  new Rejection('rate-limited', {
    message: `${countOn(chargedFailures, now)} tasks of the account failed today (UTC) because of their content or inputs, although their engines charged for them: wait for the number of seconds in Retry-After.`,
    retryAfterSeconds: secondsToMidnight(now),
  });
