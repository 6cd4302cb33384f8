/** Coupons for subscriptions. There are none by default; the catalog's COUPONS row holds those of the service. */
import type { BillingCycle } from '../contracts/billing-cycles.ts';

export interface CouponEntry {
  /** The coupon code, compared case-insensitively. */
  readonly code: string;
  /** The discount per period: either a percentage or an amount. */
  readonly percentOff?: number | undefined;
  readonly amountOffCents?: number | undefined;
  /** Whether the coupon applies to the first period only. */
  readonly duration: 'once' | 'forever';
  /** The plans and billing cycles that the coupon applies to; all by default. */
  readonly planIds?: readonly string[] | undefined;
  readonly billingCycles?: readonly BillingCycle[] | undefined;
  /** How many accounts can redeem the coupon, once each; unlimited by default. */
  readonly maxRedemptions?: number | undefined;
  /** When the coupon expires, in ISO 8601. */
  readonly expiresAt?: string | undefined;
}
