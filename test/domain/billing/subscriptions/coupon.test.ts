/** Which coupons apply, and how much they reduce the price. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CouponEntry } from '../../../../shared/catalog/coupons.ts';
import { couponOf, discountBy, discounted } from '../../../../shared/domain/billing/subscriptions/coupon.ts';
import { couponsRow } from '../../../../shared/domain/catalog/coupons-row.ts';

const expiresAt = '2030-01-01T00:00:00.000Z';
const end = Date.parse(expiresAt);
const purchase = { planId: 'pro', billingCycle: 'monthly', at: end - 1 } as const;
const discountOf = (...given: Parameters<typeof couponOf>) => {
  const found = couponOf(...given);
  return found && discountBy(found);
};
const coupon = (given: Partial<CouponEntry> = {}): CouponEntry => ({
  code: 'Summer-10',
  percentOff: 10,
  duration: 'once',
  ...given,
});

test('a coupon code is not case-sensitive and is passed on as the catalog spells it', () => {
  expect(discountOf([coupon()], 'SUMMER-10', purchase)).toEqual({
    code: 'Summer-10',
    off: { percent: 10 },
    duration: 'once',
  });
});

test('a fixed discount is passed on to the gateway as an amount', () => {
  const amount = coupon({ percentOff: undefined, amountOffCents: 500, duration: 'forever' });
  expect(discountOf([amount], 'summer-10', purchase)).toMatchObject({ off: { cents: 500 }, duration: 'forever' });
});

test.for<[string, string, Partial<CouponEntry>]>([
  ['for the purchased plan', 'applies', { planIds: ['starter', 'pro'] }],
  ['for another plan', 'does not apply', { planIds: ['starter'] }],
  ['for the purchased billing cycle', 'applies', { billingCycles: ['monthly'] }],
  ['for the other billing cycle', 'does not apply', { billingCycles: ['annual'] }],
  ['that expires a millisecond after the purchase', 'applies', { expiresAt }],
  ['that expires at the time of the purchase', 'does not apply', { expiresAt: new Date(purchase.at).toISOString() }],
])('a coupon %s %s', ([, outcome, given]) => {
  expect(discountOf([coupon(given)], 'Summer-10', purchase) !== undefined).toBe(outcome === 'applies');
});

test('an unknown coupon code has no discount', () => {
  expect(discountOf([coupon()], 'Summer-1', purchase)).toBeUndefined();
});

test.for([
  [14_990, { percent: 10 }, 13_491],
  [14_990, { percent: 15 }, 12_741],
  [4990, { percent: 33 }, 3343],
  [1, { percent: 50 }, 0],
  [4990, { percent: 100 }, 0],
  [4990, { cents: 4989 }, 1],
  [4990, { cents: 5000 }, 0],
] as const)('a price in cents of %i, discounted by %j, becomes %i', ([cents, off, rest]) => {
  expect(discounted(cents, { off })).toBe(rest);
});

test('a discounted price is a whole number of cents, never negative and never above the price', () => {
  fc.assert(
    fc.property(fc.nat(1_000_000_000), fc.integer({ min: 1, max: 100 }), (cents, percent) => {
      const rest = discounted(cents, { off: { percent } });
      expect(Number.isInteger(rest) && rest >= 0 && rest <= cents).toBe(true);
      expect(Math.abs(rest * 100 - cents * (100 - percent))).toBeLessThanOrEqual(50);
    }),
  );
});

test.for<[string, unknown]>([
  ['a coupon with both an amount and a percentage', [coupon({ amountOffCents: 1 })]],
  ['a coupon with neither an amount nor a percentage', [coupon({ percentOff: undefined })]],
  ['two coupons whose codes differ only in letter case', [coupon(), coupon({ code: 'SUMMER-10' })]],
  ['a coupon for more than the whole price', [coupon({ percentOff: 101 })]],
  ['a coupon with a code that no gateway accepts', [coupon({ code: 'É' })]],
])('the catalog rejects %s', ([, coupons]) => {
  const accepts = (value: unknown) =>
    couponsRow
      .members(() => [])
      .coupons?.schema()
      .safeParse(value).success;
  expect(accepts([coupon({ code: 'ok' })])).toBe(true);
  expect(accepts(coupons)).toBe(false);
});
