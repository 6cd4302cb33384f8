/**
 * Counts per account and day (UTC) of ends by which the operator loses money. The allowance of a day grows with the
 * tasks that the account creates on it and that are not refunded.
 */
import { dayMs, midnightBefore } from '../../platform/clock.ts';
import type { Table } from '../../platform/dynamo-table.ts';
import { firstIdAt } from '../../platform/ids.ts';
import type { Account } from './account.ts';
import { ledgerRows } from './ledger-store.ts';
import type { Clauses } from './update-account.ts';

/** A count of the last day on which anything was counted, and when that day began. */
export interface DayCount {
  readonly day: number;
  readonly count: number;
}

interface Allowance {
  /** The allowance of an account that pays for few tasks. */
  readonly perDay: number;
  /** An account that pays for many tasks is allowed one in this many. */
  readonly tasksPer: number;
}

interface When {
  readonly accountId: string;
  readonly at: number;
}

/** The count of the day of a time. */
export const countOn = (counted: DayCount | undefined, at: number): number =>
  counted?.day === midnightBefore(at) ? counted.count : 0;

/**
 * Raises a count by one; the write fails if the account has counted another one since it was read. An end that is stored
 * after the first one of the next day counts on that day.
 */
export const raiseCount = (
  name: 'cancels' | 'chargedFailures',
  account: Pick<Account, typeof name>,
  at: number,
): Clauses => {
  const before = account[name];
  const day = Math.max(midnightBefore(at), before?.day ?? 0);
  return {
    set: [`${name} = :${name}`],
    when: [before ? `${name} = :${name}Before` : `attribute_not_exists(${name})`],
    values: {
      [`:${name}`]: { day, count: countOn(before, day) + 1 },
      ...(before && { [`:${name}Before`]: before }),
    },
  };
};

/**
 * Whether at least this many tasks that the account created on the day are not refunded: what is refunded costs nothing,
 * so it must not raise an allowance. Each refund is read before the debit that it returns, so the number that is reached
 * first holds at the end, and no more of the ledger is read than that needs.
 */
async function hasPaidFor(table: Table, { accountId, at }: When, tasks: number): Promise<boolean> {
  const midnight = midnightBefore(at);
  const today = { after: firstIdAt(midnight), before: firstIdAt(midnight + dayMs) };
  let paid = 0;
  for await (const { reason } of ledgerRows(table, accountId, today, 'newest first')) {
    if (reason === 'generation') paid += 1;
    else if (reason === 'refund') paid -= 1;
    if (paid === tasks) return true;
  }
  return false;
}

/** Whether an account with this count today is allowed another one. */
export const isWithin = async (
  table: Table,
  when: When,
  { perDay, tasksPer }: Allowance,
  count: number,
): Promise<boolean> => count < perDay || hasPaidFor(table, when, (count + 1) * tasksPer);
