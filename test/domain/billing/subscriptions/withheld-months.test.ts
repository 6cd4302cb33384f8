/** The months of an annual plan that are granted while its payment is disputed, or after part of it was refunded. */
import { expect, test } from 'vitest';
import type { Invoice, Subscription } from '../../../../shared/domain/billing/subscriptions/subscription.ts';
import { moveFor, moveInTime } from '../../../../shared/domain/billing/subscriptions/subscription-move.ts';
import { activeState, annual, monthEnd, paidInvoice, report, wholeYear, yearEnd } from '../subscription-scene.ts';

const invoices = (given: Partial<Invoice>) => [paidInvoice({ periodEnd: yearEnd, ...given })];

test('a paid year grants no month while its payment is disputed, and those of the meantime once that is won', () => {
  const reported = { invoices: [{ ...wholeYear, isDisputed: true }] };
  const state = activeState({ subscription: annual, invoices: invoices({ isDisputed: true, disputes: 1 }) });
  expect(moveFor(state, report(state, reported), monthEnd)?.kind).not.toBe('grant');
  expect(moveInTime(state, monthEnd)?.kind).not.toBe('grant');
  const won = activeState({ subscription: annual, invoices: invoices({ disputes: 1 }) });
  expect(moveFor(won, report(won, { invoices: [wholeYear] }), monthEnd)?.kind).toBe('grant');
});

test.for([
  [0, 12],
  [416, 12],
  [417, 11],
  [5000, 6],
  [8750, 2],
  [8751, 1],
  [9999, 1],
] as const)(
  'a paid year of which %i of 10,000 cents were refunded grants, once it is canceled or to end, this many months: %i',
  ([refundedCents, left]) => {
    const further = Array.from({ length: 11 }, (_, index) => index + 1);
    const grants = (changes: Partial<Subscription>) =>
      further.filter((granted) => {
        const given = { subscription: { ...annual, ...changes }, invoices: invoices({ refundedCents, granted }) };
        return moveInTime(activeState(given), yearEnd)?.kind === 'grant';
      }).length;
    expect([grants({ status: 'canceled' }), grants({ isEnding: true }), grants({})]).toEqual([left - 1, left - 1, 11]);
  },
);
