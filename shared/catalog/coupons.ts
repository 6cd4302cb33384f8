/** Coupons for subscriptions: by default there are none; the catalog's COUPONS row contains those of the service. */
import type { BillingCycle } from '../contracts/billing-cycles.ts';

export interface CouponEntry {
  /** In any case. */
  readonly code: string;
  /** What it takes off the price of a period: one of both. */
  readonly percentOff?: number | undefined;
  readonly amountOffCents?: number | undefined;
  /** Whether it applies to the first period only. */
  readonly duration: 'once' | 'forever';
  /** The plans and billing cycles that it is for; by default all. */
  readonly planIds?: readonly string[] | undefined;
  readonly billingCycles?: readonly BillingCycle[] | undefined;
  /** How often it can be redeemed in all; each account can redeem it once. By default as often as there are accounts. */
  readonly maxRedemptions?: number | undefined;
  /** From when on it no longer applies, in ISO 8601. */
  readonly expiresAt?: string | undefined;
}
