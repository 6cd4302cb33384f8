/** Computes what a coupon takes off the price of a subscription, in whole cents. */
import type { CouponEntry } from '../../../catalog/coupons.ts';
import type { BillingCycle } from '../../../contracts/billing-cycles.ts';
import type { Discount } from '../../../gateways/subscription-gateway.ts';

/** The purchase that a coupon is applied to. */
interface Purchase {
  readonly planId: string;
  readonly billingCycle: BillingCycle;
  readonly at: number;
}

const isFor = ({ planIds, billingCycles, expiresAt }: CouponEntry, { planId, billingCycle, at }: Purchase): boolean =>
  (planIds?.includes(planId) ?? true) &&
  (billingCycles?.includes(billingCycle) ?? true) &&
  (expiresAt === undefined || at < Date.parse(expiresAt));

/** Finds a coupon; undefined if it does not exist, has expired, or does not apply to the purchase. */
export function couponOf(coupons: readonly CouponEntry[], code: string, purchase: Purchase): CouponEntry | undefined {
  const coupon = coupons.find((entry) => entry.code.toUpperCase() === code.toUpperCase());
  return coupon && isFor(coupon, purchase) ? coupon : undefined;
}

export const discountBy = ({ code, percentOff, amountOffCents = 0, duration }: CouponEntry): Discount => ({
  code,
  off: percentOff === undefined ? { cents: amountOffCents } : { percent: percentOff },
  duration,
});

/** A price minus a discount, rounded in the customer's favor and never negative. */
export function discounted(cents: number, { off }: Pick<Discount, 'off'>): number {
  const offCents = 'percent' in off ? Math.floor((cents * off.percent + 50) / 100) : off.cents;
  return Math.max(0, cents - offCents);
}
