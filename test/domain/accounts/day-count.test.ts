/** How the allowance of a day grows with what the account pays for tasks. */
import { expect, test } from 'vitest';
import { refundedCreditsPerDay } from '../../../shared/contracts/limits.ts';
import { isWithin } from '../../../shared/domain/accounts/day-count.ts';
import { appendLedgerRow } from '../../../shared/domain/accounts/ledger-store.ts';
import { midnightBefore } from '../../../shared/platform/clock.ts';
import { randomIds } from '../../../shared/platform/ids.ts';
import { stillClock } from '../../support/stepped-clock.ts';
import { anAccount, tableInTests } from '../../support/test-table.ts';

const { table } = await tableInTests();

const perDay = 2;

async function ledgerWith(...rows: readonly (readonly ['generation' | 'refund', number])[]) {
  const clock = stillClock();
  const ids = randomIds(clock);
  const { accountId } = anAccount();
  const append = async (...more: typeof rows) =>
    table.transact(
      more.map(([reason, amount]) =>
        appendLedgerRow({ id: ids.next(), accountId, amount, reason, at: clock.now(), taskType: 'voice' }),
      ),
    );
  await append(...rows);
  const at = clock.now();
  const isAllowed = (credits: number, counted?: { readonly count: number; readonly credits?: number }) =>
    isWithin(table, { accountId, at, credits }, perDay, counted && { day: midnightBefore(at), ...counted });
  return { append, isAllowed };
}

test('refunded tasks do not raise the allowance of a day, in whatever order they were created and refunded', async () => {
  const debit = ['generation', -10] as const;
  const refund = ['refund', 10] as const;
  const { append, isAllowed } = await ledgerWith(debit, refund, debit, debit, refund, refund);
  await append(debit, debit, debit);
  expect(await isAllowed(1, { count: perDay, credits: 2 })).toBe(true);
  expect(await isAllowed(2, { count: perDay, credits: 2 })).toBe(false);
  await append(debit, debit, refund);
  expect(await isAllowed(2, { count: perDay, credits: 2 })).toBe(true);
  // A returned payment is a refund with a negative amount.
  await append(['refund', -1000]);
  expect(await isAllowed(3, { count: perDay, credits: 2 })).toBe(false);
});

test('a daily allowance counts credits: many cheap tasks do not raise it for expensive ones, and a few expensive ones use it up', async () => {
  const { isAllowed } = await ledgerWith(...Array.from({ length: 50 }, () => ['generation', -1] as const));
  expect(await isAllowed(1, { count: perDay, credits: 4 })).toBe(true);
  expect(await isAllowed(100, { count: perDay, credits: 200 })).toBe(false);
  expect(await isAllowed(100, { count: 1, credits: refundedCreditsPerDay - 100 })).toBe(true);
  expect(await isAllowed(101, { count: 1, credits: refundedCreditsPerDay - 100 })).toBe(false);
  // Counts that earlier versions stored have no credits.
  expect(await isAllowed(100, { count: 1 })).toBe(true);
});
