import { expect, test } from 'vitest';
import { checkoutOutcome } from '../../dashboard/pages/billing/checkout-outcome.ts';

const active = { id: 'order-1', status: 'active' };

test('the dashboard waits for a checkout until its subscription is active, up to a limit', () => {
  const of = (isLate: boolean, subscription?: { readonly id: string; readonly status: string }) =>
    checkoutOutcome({ subscription, orderId: 'order-1', isLate });
  expect([of(false), of(false, { ...active, status: 'pending' }), of(false, active)]).toEqual([
    'waiting',
    'waiting',
    'subscribed',
  ]);
  expect([of(true), of(true, { ...active, status: 'pending' }), of(true, active)]).toEqual([
    'unconfirmed',
    'unconfirmed',
    'subscribed',
  ]);
});

test('an active subscription from another order ends the dashboard’s wait, but is not shown as the one just paid for', () => {
  expect(checkoutOutcome({ subscription: active, orderId: 'order-2', isLate: false })).toBe('other');
  expect(checkoutOutcome({ subscription: active, orderId: undefined, isLate: false })).toBe('subscribed');
});
