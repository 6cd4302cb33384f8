import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { balanceSteps, balancesByDay } from '../../dashboard/pages/overview/balance-steps.ts';

const start = Date.parse('2026-11-01T00:00:00Z');
const dayMs = 86_400_000;

const changes = fc.array(fc.tuple(fc.integer({ min: 1, max: 60 * dayMs }), fc.integer({ min: -50, max: 500 })));

/** The balance after every change up to a time, added up from the beginning. */
const balanceAt = (ledger: readonly (readonly [number, number])[], time: number) =>
  ledger.filter(([at]) => at <= time).reduce((sum, [, amount]) => sum + amount, 0);

test('the balance chart shows the balance that the credit history adds up to, at every step', () => {
  fc.assert(
    fc.property(changes, fc.integer({ min: 0, max: 60 * dayMs }), (made, sinceMs) => {
      const ledger = made.map(([after, amount]) => [start + after, amount] as const).toSorted(([a], [b]) => a - b);
      const newestFirst = ledger
        .toReversed()
        .map(([at, amount]) => ({ createdAt: new Date(at).toISOString(), amount }));
      const from = start + sinceMs;
      const steps = balanceSteps(balanceAt(ledger, Infinity), newestFirst, from);
      const isOlder = ledger.some(([at]) => at <= from);
      if (isOlder) expect(steps[0]).toEqual({ at: from, balance: balanceAt(ledger, from) });
      expect(steps).toHaveLength(ledger.filter(([at]) => at > from).length + (isOlder ? 1 : 0));
      const last = new Map(steps.map(({ at, balance }) => [at, balance]));
      for (const [at, balance] of last) expect(balance).toBe(balanceAt(ledger, at));
    }),
  );
});

test('the balance chart begins with the oldest entry if no earlier balance is known', () => {
  const newestFirst = [
    { createdAt: '2026-11-20T10:00:00.000Z', amount: -5 },
    { createdAt: '2026-11-19T10:00:00.000Z', amount: 100 },
  ];
  const steps = balanceSteps(395, newestFirst, start);
  expect(steps.map(({ balance }) => balance)).toEqual([400, 395]);
  expect(balancesByDay(steps)).toEqual([
    ['2026-11-19', 400],
    ['2026-11-20', 395],
  ]);
});
