/**
 * Counts per account and day (UTC) of ends by which the operator loses money. The allowance of a day grows with what the
 * tasks cost that the account creates on it and that are not refunded.
 */
import { paidCreditsPerRefunded, refundedCreditsPerDay } from '../../contracts/limits.ts';
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
  /** What the counted tasks cost; absent for 0. */
  readonly credits?: number;
}

/** An end that counts: when, whose, and what the task cost. */
export interface CountedEnd {
  readonly accountId: string;
  readonly at: number;
  readonly credits: number;
}

const creditsOn = (counted: DayCount | undefined, at: number): number =>
  counted?.day === midnightBefore(at) ? (counted.credits ?? 0) : 0;

/** The count of the day of a time. */
export const countOn = (counted: DayCount | undefined, at: number): number =>
  counted?.day === midnightBefore(at) ? counted.count : 0;

/**
 * Raises a count by one, and its credits by what the task cost; the write fails if the account has counted another one
 * since it was read. An end that is stored after the first one of the next day counts on that day.
 */
export const raiseCount = (
  name: 'cancels' | 'chargedFailures',
  account: Pick<Account, typeof name>,
  { at, credits }: CountedEnd,
): Clauses & { readonly counted: Required<DayCount> } => {
  const before = account[name];
  const day = Math.max(midnightBefore(at), before?.day ?? 0);
  const counted = { day, count: countOn(before, day) + 1, credits: creditsOn(before, day) + credits };
  return {
    counted,
    set: [`${name} = :${name}`],
    when: [before ? `${name} = :${name}Before` : `attribute_not_exists(${name})`],
    values: {
      [`:${name}`]: counted,
      ...(before && { [`:${name}Before`]: before }),
    },
  };
};

/**
 * Whether the tasks that the account created on the day and that are not refunded cost at least so many credits: what is
 * refunded costs nothing, so it must not raise an allowance. Each refund is read before the debit that it returns, so the
 * sum that is reached first holds at the end, and no more of the ledger is read than that needs.
 */
async function hasPaid(table: Table, { accountId, at }: CountedEnd, credits: number): Promise<boolean> {
  const midnight = midnightBefore(at);
  const today = { after: firstIdAt(midnight), before: firstIdAt(midnight + dayMs) };
  let paid = 0;
  for await (const { reason, amount } of ledgerRows(table, accountId, today, 'newest first')) {
    // A negative refund returns a payment.
    if (reason === 'generation' || (reason === 'refund' && amount > 0)) paid -= amount;
    if (paid >= credits) return true;
  }
  return false;
}

/** Whether an account with this count is allowed to count this end, too. */
export async function isWithin(
  table: Table,
  end: CountedEnd,
  perDay: number,
  counted: DayCount | undefined,
): Promise<boolean> {
  const credits = creditsOn(counted, end.at) + end.credits;
  const isFew = countOn(counted, end.at) < perDay && credits <= refundedCreditsPerDay;
  return isFew || hasPaid(table, end, credits * paidCreditsPerRefunded);
}
