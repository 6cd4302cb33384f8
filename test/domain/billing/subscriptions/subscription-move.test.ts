/** The effect of each reported subscription state on a subscription in each of its states. */
import { describe, expect, test } from 'vitest';
import {
  actionDueAtGateway,
  moveFor,
  type SubscriptionState,
} from '../../../../shared/domain/billing/subscriptions/subscription-move.ts';
import type { ReportedSubscription } from '../../../../shared/gateways/subscription-gateway.ts';
import {
  activeState,
  annual,
  dayMs,
  type GivenState,
  invoice,
  monthEnd,
  paidInvoice,
  pendingState,
  renewal,
  report,
  returned,
  start,
  yearEnd,
} from '../subscription-scene.ts';

const move = (state: SubscriptionState, reported: Partial<ReportedSubscription>, now = start) =>
  moveFor(state, report(state, reported), now);
const kind = (...given: Parameters<typeof move>) => move(...given)?.kind;
const flagged = (...given: Parameters<typeof move>) => {
  const found = move(...given);
  return found && 'caseKind' in found ? [found.kind, found.caseKind] : found?.kind;
};

const rejected: GivenState = { order: { status: 'failed' }, subscription: { status: 'abandoned', isClosed: true } };
const expired: GivenState = { order: { status: 'expired' }, subscription: { status: 'abandoned', isClosed: true } };
const canceled: GivenState = { subscription: { status: 'canceled', isClosed: true }, account: {} };

describe('before the first payment of a subscription,', () => {
  test('an open checkout changes nothing', () => {
    const state = pendingState();
    expect(moveFor(state, report(state), start)).toBeUndefined();
    expect(actionDueAtGateway(state, report(state), start)).toBeUndefined();
  });

  test('an expired checkout closes its order, once', () => {
    const state = pendingState();
    expect(moveFor(state, report(state, undefined, 'expired'), start)).toEqual({ kind: 'expire' });
    const over = pendingState(expired);
    expect(moveFor(over, report(over, undefined, 'expired'), start)).toBeUndefined();
  });

  test('an open checkout is expired at the gateway once it is overdue or another subscription is active', () => {
    const state = pendingState();
    const overdue = state.subscription.payableUntil + 2 * 60_000;
    expect(actionDueAtGateway(state, report(state), overdue - 1)).toBeUndefined();
    expect(actionDueAtGateway(state, report(state), overdue)).toBe('expire-checkout');
    const other = pendingState({ account: { activeSubscription: 'other' } });
    expect(actionDueAtGateway(other, report(other), start)).toBe('expire-checkout');
  });

  test('an order unknown to the gateway expires when it is overdue', () => {
    const state = pendingState();
    const overdue = state.subscription.payableUntil + 2 * 60_000;
    expect(moveFor(state, undefined, overdue - 1)).toBeUndefined();
    expect(moveFor(state, undefined, overdue)).toEqual({ kind: 'expire' });
  });

  test('a subscription whose invoice is not paid stays pending', () => {
    for (const status of ['unpaid', 'active', 'past_due'] as const)
      expect(move(pendingState(), { status })).toBeUndefined();
  });

  test('a subscription that is canceled before it was paid closes its order', () => {
    expect(move(pendingState(), { status: 'canceled' })).toEqual({ kind: 'give-up' });
  });
});

describe('the first payment of a subscription', () => {
  const first = { invoices: [invoice()] };

  test('activates a pending subscription, and one whose order has expired', () => {
    for (const state of [pendingState(), pendingState(expired)])
      expect(move(state, first)).toEqual({ kind: 'activate', invoice: invoice() });
  });

  test('activates the subscription with zero cents if its coupon covers the whole price', () => {
    const free = invoice({ cents: 0 });
    expect(kind(pendingState({ order: { cents: 0 } }), { invoices: [free] })).toBe('activate');
    const reportedAsReturned = { invoices: [{ ...free, isRefunded: true }] };
    expect(kind(pendingState({ order: { cents: 0 } }), reportedAsReturned)).toBe('activate');
  });

  test.for([{ cents: 9999 }, { cents: 10_001 }, { cents: 14_990 }, { currency: 'USD' }])(
    'is rejected if its amount or currency is wrong: %o',
    (wrong) => {
      expect(flagged(pendingState(), { invoices: [invoice(wrong)] })).toEqual(['reject', 'wrong-amount']);
    },
  );

  test('is rejected while another subscription of the account is active', () => {
    const state = pendingState({ account: { activeSubscription: 'other' } });
    expect(flagged(state, first)).toEqual(['reject', 'second-subscription']);
  });

  test('opens a case if its order was rejected, unless this payment was the reason for the rejection', () => {
    expect(flagged(pendingState(rejected), first)).toEqual(['flag', 'payment-of-canceled-order']);
    const known = pendingState({ ...rejected, invoices: [paidInvoice({ granted: 0 })] });
    expect(kind(known, { ...first, status: 'canceled' })).toBeUndefined();
  });

  test('closes the order if the payment was refunded before its notification arrived', () => {
    expect(move(pendingState(), { invoices: [returned(invoice())] })).toMatchObject({ kind: 'refund', isLast: false });
  });
});

describe('a further payment of a subscription', () => {
  const both = (given = {}) => ({ invoices: [invoice(), renewal(given)] });

  test('renews the subscription at its price or, with a coupon for every period, at the discounted price', () => {
    expect(kind(activeState(), both())).toBe('renew');
    expect(flagged(activeState(), both({ cents: 10_000 }))).toEqual(['flag', 'wrong-amount']);
    const forever = activeState({ subscription: { discountedCents: 10_000 } });
    expect(kind(forever, both({ cents: 10_000 }))).toBe('renew');
    expect(kind(forever, both())).toBe('renew');
  });

  test('opens a case if its amount or currency is wrong', () => {
    for (const wrong of [{ cents: 14_989 }, { cents: 14_991 }, { currency: 'USD' }])
      expect(flagged(activeState(), both(wrong))).toEqual(['flag', 'wrong-amount']);
  });

  test('opens a case if its period is already paid', () => {
    const again = both({ periodStart: start, periodEnd: monthEnd });
    expect(flagged(activeState(), again)).toEqual(['flag', 'second-payment']);
  });

  test('renews the subscription even if its period overlaps a paid one, as after a change of the renewal day', () => {
    for (const moved of [{ periodStart: start + dayMs }, { periodStart: start }, { periodStart: monthEnd - 1 }])
      expect(kind(activeState(), both(moved))).toBe('renew');
  });

  test('renews the subscription if the earlier payment for the period was refunded', () => {
    const state = activeState({ ...canceled, invoices: [paidInvoice({ refundedAt: start, refundedCents: 10_000 })] });
    const again = renewal({ periodStart: start, periodEnd: monthEnd });
    expect(kind(state, { status: 'canceled', invoices: [returned(invoice()), again] })).toBe('renew');
  });

  test('is credited even if the subscription is canceled', () => {
    expect(kind(activeState(canceled), { status: 'canceled', ...both() })).toBe('renew');
  });

  test('changes nothing if the payment is already known', () => {
    const known = paidInvoice({ invoiceId: 'in_2', periodStart: monthEnd, periodEnd: Date.UTC(2030, 2, 1) });
    expect(move(activeState({ invoices: [paidInvoice(), known] }), both())).toBeUndefined();
  });
});

describe('a refunded payment of a subscription', () => {
  test('ends the subscription if it paid for the last period', () => {
    expect(move(activeState(), { invoices: [returned(invoice())] })).toMatchObject({ kind: 'refund', isLast: true });
    const next = paidInvoice({ invoiceId: 'in_2', periodStart: monthEnd, periodEnd: Date.UTC(2030, 2, 1) });
    const renewed = activeState({
      subscription: { currentPeriodEnd: next.periodEnd },
      invoices: [paidInvoice(), next],
    });
    const invoices = [returned(invoice()), renewal()];
    expect(move(renewed, { invoices })).toMatchObject({ kind: 'refund', isLast: false });
  });

  test('changes nothing if the payment had added no credits', () => {
    const wrong = renewal({ cents: 1 });
    const known = activeState({
      invoices: [paidInvoice(), paidInvoice({ invoiceId: 'in_2', granted: 0, periodEnd: wrong.periodEnd })],
    });
    for (const state of [known, activeState()])
      expect(move(state, { invoices: [invoice(), returned(wrong)] })).toMatchObject({ kind: 'refund', isLast: false });
  });

  test('changes nothing when it is reported again', () => {
    const known = paidInvoice({ refundedCents: 10_000, refundedAt: start });
    const state = activeState({
      subscription: { status: 'canceled', isClosed: true, lapsedAt: start },
      invoices: [known],
    });
    expect(move(state, { status: 'canceled', invoices: [returned(invoice())] })).toBeUndefined();
  });

  test('opens one case for each partial refund', () => {
    const part = invoice({ refundedCents: 100 });
    expect(kind(activeState(), { invoices: [part] })).toBe('return-part');
    expect(
      kind(activeState({ invoices: [paidInvoice({ refundedCents: 100 })] }), { invoices: [part] }),
    ).toBeUndefined();
    expect(kind(activeState({ invoices: [paidInvoice({ refundedCents: 99 })] }), { invoices: [part] })).toBe(
      'return-part',
    );
  });
});

describe('the status at the subscription gateway', () => {
  const paid = { invoices: [invoice()] };

  test('is copied when it is active or past due, including whether the subscription is about to end', () => {
    expect(move(activeState(), { ...paid, status: 'active' })).toBeUndefined();
    const late = { kind: 'follow', status: 'past_due', isEnding: false };
    expect(move(activeState(), { ...paid, status: 'past_due' })).toEqual(late);
    expect(move(activeState(), { ...paid, isEnding: true })).toEqual({ ...late, status: 'active', isEnding: true });
    const ending = activeState({ subscription: { isEnding: true } });
    expect(move(ending, paid)).toEqual({ ...late, status: 'active' });
  });

  test('ends the subscription permanently if it is canceled', () => {
    for (const status of ['active', 'past_due'] as const)
      expect(kind(activeState({ subscription: { status } }), { ...paid, status: 'canceled' })).toBe('end');
    for (const status of ['active', 'past_due', 'canceled', 'unpaid'] as const)
      expect(move(activeState(canceled), { ...paid, status })).toBeUndefined();
  });

  test('leads to a cancellation at the gateway as long as only the service has ended the subscription', () => {
    const state = activeState({ subscription: { status: 'canceled' } });
    for (const status of ['active', 'past_due'] as const)
      expect(actionDueAtGateway(state, report(state, { ...paid, status }), start)).toBe('cancel');
    expect(actionDueAtGateway(state, report(state, { ...paid, status: 'canceled' }), start)).toBeUndefined();
    expect(kind(state, { ...paid, status: 'canceled' })).toBe('close');
    expect(actionDueAtGateway(activeState(), report(activeState(), paid), start)).toBeUndefined();
  });
});

describe('as time passes, a subscription', () => {
  const paid = { invoices: [invoice({ periodEnd: yearEnd })] };
  const invoices = (given = {}) => [paidInvoice({ periodEnd: yearEnd, ...given })];

  test('gets the credits of twelve months if it is yearly, and none for a thirteenth', () => {
    const state = activeState({ subscription: annual, invoices: invoices() });
    expect(kind(state, paid, monthEnd - 1)).not.toBe('grant');
    expect(kind(state, paid, monthEnd)).toBe('grant');
    const eleven = activeState({ subscription: annual, invoices: invoices({ granted: 11 }) });
    expect(kind(eleven, paid, Date.UTC(2030, 11, 1) - 1)).not.toBe('grant');
    expect(kind(eleven, paid, Date.UTC(2030, 11, 1))).toBe('grant');
    const twelve = activeState({ subscription: annual, invoices: invoices({ granted: 12 }) });
    expect(kind(twelve, paid, yearEnd)).not.toBe('grant');
  });

  test('gets the credits of its paid months if it was canceled, but none for a payment that was refunded or never credited', () => {
    const over = { ...annual, status: 'canceled', isClosed: true } as const;
    const ended = { ...paid, status: 'canceled' } as const;
    expect(kind(activeState({ subscription: over, invoices: invoices() }), ended, monthEnd)).toBe('grant');
    const known = { refundedCents: 10_000, refundedAt: start };
    const back = { ...ended, invoices: paid.invoices.map(returned) };
    expect(kind(activeState({ subscription: over, invoices: invoices(known) }), back, monthEnd)).not.toBe('grant');
    expect(kind(activeState({ subscription: annual, invoices: invoices({ granted: 0 }) }), paid, monthEnd)).not.toBe(
      'grant',
    );
  });

  test('gets no further credits if only one month was paid', () => {
    expect(kind(activeState(), { invoices: [invoice()] }, monthEnd)).not.toBe('grant');
  });

  test.for<[string, GivenState['subscription'], number]>([
    ['three days after a period that is not renewed', {}, monthEnd + 3 * dayMs],
    ['three days after a period whose renewal fails', { status: 'past_due' }, monthEnd + 3 * dayMs],
    ['with the period if the subscription ends with it', { isEnding: true }, monthEnd],
    ['with the period if the subscription was canceled', { status: 'canceled', isClosed: true }, monthEnd],
  ])('loses its features %s', ([, given, end]) => {
    const state = activeState({ subscription: { checkAt: undefined, ...given } });
    const { status, isEnding = false } = state.subscription;
    const reported = { status: status as 'active', isEnding, invoices: [invoice()] };
    expect(kind(state, reported, end - 1)).toBeUndefined();
    expect(kind(state, reported, end)).toBe('lapse');
    const over = activeState({ subscription: { checkAt: undefined, ...given, lapsedAt: end } });
    expect(kind(over, reported, end)).toBeUndefined();
  });

  test('for which nothing is due only has its next check postponed', () => {
    const state = activeState({ subscription: { checkAt: start + dayMs } });
    expect(kind(state, { invoices: [invoice()] }, start + dayMs - 1)).toBeUndefined();
    expect(kind(state, { invoices: [invoice()] }, start + dayMs)).toBe('postpone');
  });
});

test.for([{ closing: { at: start, eraseAt: start } }, { erasedAt: start }])(
  'a payment for a closed account (%j) adds no credits and becomes a case',
  (account) => {
    const first = pendingState({ account });
    expect(flagged(first, { invoices: [invoice()] })).toEqual(['reject', 'payment-of-canceled-order']);
    const next = activeState({ account });
    expect(flagged(next, { invoices: [invoice(), renewal()] })).toEqual(['flag', 'payment-of-canceled-order']);
  },
);
