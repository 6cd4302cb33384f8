/** The coupons for subscriptions. */
import * as z from 'zod';
import type { CouponEntry } from '../../catalog/coupons.ts';
import { billingCycles } from '../../contracts/billing-cycles.ts';
import { cents, isUnique, label } from './catalog-fields.ts';
import type { CatalogRow } from './catalog-row.ts';

/** A coupon code of the only characters that payment gateways accept. */
const couponCode = () =>
  z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,40}$/, { error: 'must consist of 1 to 40 letters, digits, hyphens and underscores' });

const coupon = () =>
  z
    .strictObject({
      code: couponCode(),
      percentOff: z.int().min(1).max(100).optional(),
      amountOffCents: cents().min(1).optional(),
      duration: z.enum(['once', 'forever']),
      planIds: z.array(label()).min(1).max(50).optional(),
      billingCycles: z.array(z.enum(billingCycles)).min(1).optional(),
      maxRedemptions: z.int().min(1).max(1_000_000_000).optional(),
      expiresAt: z.iso.datetime().optional(),
    })
    .refine(({ percentOff, amountOffCents }) => (percentOff === undefined) !== (amountOffCents === undefined), {
      error: 'must have either percentOff or amountOffCents',
    }) satisfies z.ZodType<CouponEntry>;

const coupons = () =>
  z
    .array(coupon())
    .max(500)
    .refine((entries) => isUnique(entries.map(({ code }) => code.toUpperCase())), {
      error: 'codes must be unique in any case',
    });

export const couponsRow: CatalogRow<readonly CouponEntry[]> = {
  name: 'coupons',
  members: () => ({ coupons: { schema: coupons, byDefault: [] } }),
  toValue: (members) => members.coupons as readonly CouponEntry[],
};
