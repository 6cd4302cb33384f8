/** Usage reports on the real table, compared with a plain sum over the whole ledger. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LedgerRow } from '../../../shared/domain/accounts/ledger.ts';
import { appendLedgerRow } from '../../../shared/domain/accounts/ledger-store.ts';
import { usageKey } from '../../../shared/domain/keys.ts';
import { reportUsage, type UsageReport } from '../../../shared/domain/usage/report-usage.ts';
import { endOfDay } from '../../../shared/domain/usage/usage.ts';
import { timestamp } from '../../../shared/platform/clock.ts';
import { randomIds } from '../../../shared/platform/ids.ts';
import { tableInTests, testIds, testTime } from '../../support/test-table.ts';

const host = await tableInTests();

const hour = 3_600_000;
const range = { from: '2030-01-01', to: '2030-01-09' };
const tokenIds = [testIds.next(), testIds.next(), undefined];

/** A credit movement whose id contains its time. */
interface Movement {
  readonly kind: 'debit' | 'refund' | 'bonus' | 'purchaseRefund';
  readonly amount: number;
  readonly taskType: 'voice' | 'cortes';
  readonly token: number;
}

function rowOf(accountId: string, at: number, { kind, amount, taskType, token }: Movement): LedgerRow {
  const row = { id: randomIds({ now: () => at }).next(), accountId, at };
  const tokenId = tokenIds[token];
  const ofTask = { taskType, taskId: testIds.next(), ...(tokenId !== undefined && { tokenId }) };
  if (kind === 'debit') return { ...row, ...ofTask, amount: -amount, reason: 'generation' };
  if (kind === 'refund') return { ...row, ...ofTask, amount, reason: 'refund' };
  if (kind === 'bonus') return { ...row, amount, reason: 'bonus' };
  return { ...row, orderId: testIds.next(), amount: -amount, reason: 'refund' };
}

/** The sums by day, task type and token, as an object. */
function oracle(rows: readonly LedgerRow[]) {
  const sums: Record<string, readonly [tasks: number, failed: number, used: number, refunded: number]> = {};
  for (const { at, amount, reason, taskType, tokenId } of rows) {
    const day = timestamp(at).slice(0, 10);
    if (taskType === undefined || day < range.from || day > range.to) continue;
    const key = `${day} ${taskType} ${tokenId}`;
    const [tasks, failed, used, refunded] = sums[key] ?? [0, 0, 0, 0];
    sums[key] =
      reason === 'refund' ? [tasks, failed + 1, used, refunded + amount] : [tasks + 1, failed, used - amount, refunded];
  }
  return sums;
}

const asSums = ({ usage }: UsageReport) =>
  Object.fromEntries(
    usage.map(({ day, taskType, tokenId, tasks, failed, creditsUsed, creditsRefunded }) => [
      `${day} ${taskType} ${tokenId}`,
      [tasks, failed, creditsUsed, creditsRefunded],
    ]),
  );

const report = (accountId: string, now: number, more: { rowsPerReport?: number; given?: typeof range } = {}) => {
  const { given = range, ...limits } = more;
  return reportUsage({ table: host.table, clock: { now: () => now }, ...limits }, accountId, given);
};

const movement = fc.record({
  kind: fc.constantFrom('debit', 'debit', 'refund', 'bonus', 'purchaseRefund'),
  amount: fc.integer({ min: 0, max: 900 }),
  taskType: fc.constantFrom('voice', 'cortes'),
  token: fc.nat(2),
});

const append = (rows: readonly LedgerRow[]) =>
  Promise.all(rows.map((row) => host.table.transact([appendLedgerRow(row)])));

describe('a usage report', () => {
  test('equals the ledger at any time, whatever was reported before, even if ledger rows appear up to an hour late', async () => {
    const step = fc.record({
      passes: fc.oneof(fc.nat(hour), fc.nat(40 * hour)),
      movements: fc.array(fc.tuple(movement, fc.nat(hour - 1)), { maxLength: 6 }),
      reports: fc.nat(2),
      days: fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 })),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (history) => {
        const accountId = testIds.next();
        let now = testTime - hour;
        const rows: LedgerRow[] = [];
        for (const { passes, movements, reports, days } of history) {
          now += passes;
          const added = movements.map(([made, late]) => rowOf(accountId, now - late, made));
          await append(added);
          rows.push(...added);
          const [from, to] = days.toSorted((one, other) => one - other).map((day) => `2030-01-0${day}`);
          const given = { from: from ?? '', to: to ?? '' };
          const reported = await Promise.all(Array.from({ length: reports }, () => report(accountId, now, { given })));
          const inside = ([key]: [string, unknown]) => key.slice(0, 10) >= given.from && key.slice(0, 10) <= given.to;
          const expected = Object.fromEntries(Object.entries(oracle(rows)).filter(inside));
          for (const one of reported) {
            expect(one.isComplete).toBe(true);
            expect(asSums(one)).toEqual(expected);
          }
        }
        expect(asSums(await report(accountId, now))).toEqual(oracle(rows));
      }),
      { numRuns: 25 },
    );
  });

  test('that exceeds its read limit is incomplete, and the following ones continue until it is complete', async () => {
    const batches = fc.array(fc.tuple(movement, fc.nat(9 * 24 * hour)), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(batches, fc.integer({ min: 1, max: 12 }), async (made, rowsPerReport) => {
        const accountId = testIds.next();
        const rows = made.map(([one, after]) => rowOf(accountId, testTime + after, one));
        await append(rows);
        const now = testTime + 12 * 24 * hour;
        const max = Math.ceil(rows.length / rowsPerReport) + 9;
        let last = await report(accountId, now, { rowsPerReport });
        for (let count = 1; !last.isComplete && count < max; count += 1) {
          last = await report(accountId, now, { rowsPerReport });
        }
        expect(last.isComplete).toBe(true);
        expect(asSums(last)).toEqual(oracle(rows));
      }),
      { numRuns: 20 },
    );
  });

  test('of past days reads no ledger row a second time', async () => {
    const accountId = testIds.next();
    await append([rowOf(accountId, testTime, { kind: 'debit', amount: 7, taskType: 'voice', token: 0 })]);
    const now = testTime + 12 * 24 * hour;
    const first = await report(accountId, now);
    const unread = { ...host.table, walk: () => expect.fail('the ledger was read') };
    const again = await reportUsage({ table: unread, clock: { now: () => now } }, accountId, range);
    expect(again).toEqual(first);
    expect(again.usage).toEqual([
      {
        day: '2030-01-01',
        taskType: 'voice',
        tokenId: tokenIds[0],
        tasks: 1,
        failed: 0,
        creditsUsed: 7,
        creditsRefunded: 0,
      },
    ]);
  });

  test('of a day whose stored count lacks failures reads the day again and stores a complete count', async () => {
    const accountId = testIds.next();
    await append([rowOf(accountId, testTime, { kind: 'refund', amount: 7, taskType: 'voice', token: 0 })]);
    const earlier = { taskType: 'voice', tasks: 0, creditsUsed: 0, creditsRefunded: 7 };
    const key = usageKey(accountId, '2030-01-01');
    await host.table.put({ Item: { ...key, through: endOfDay('2030-01-01'), entries: [earlier] } });
    const now = testTime + 12 * 24 * hour;
    const first = await report(accountId, now);
    expect(asSums(first)).toEqual({ [`2030-01-01 voice ${tokenIds[0]}`]: [0, 1, 0, 7] });
    const unread = { ...host.table, walk: () => expect.fail('the ledger was read') };
    expect(await reportUsage({ table: unread, clock: { now: () => now } }, accountId, range)).toEqual(first);
  });

  test('counts a refund on the day it was paid, not on the day of its task', async () => {
    const accountId = testIds.next();
    const of = { amount: 5, taskType: 'voice', token: 1 } as const;
    await append([
      rowOf(accountId, testTime + 24 * hour - 1, { ...of, kind: 'debit' }),
      rowOf(accountId, testTime + 24 * hour, { ...of, kind: 'refund' }),
    ]);
    expect((await report(accountId, testTime + 30 * hour)).usage).toMatchObject([
      { day: '2030-01-01', tasks: 1, failed: 0, creditsUsed: 5, creditsRefunded: 0 },
      { day: '2030-01-02', tasks: 0, failed: 1, creditsUsed: 0, creditsRefunded: 5 },
    ]);
  });
});
