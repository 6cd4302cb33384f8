/** Coupons and promotion codes, and how they reduce a price. */
import * as z from 'zod';
import { missing, StripeFault } from './stripe-fault.ts';
import type { Coupon, PromotionCode } from './stripe-objects.ts';
import { newId, type StripeRecords } from './stripe-records.ts';

export const Metadata = z.record(z.string().max(40), z.string().max(500)).default({});
export const Flag = z.enum(['true', 'false']).transform((text) => text === 'true');

export const CouponRequest = z
  .strictObject({
    id: z.string().min(1).max(200),
    name: z.string().max(40),
    percent_off: z.string().transform(Number).pipe(z.number().gt(0).max(100)).optional(),
    amount_off: z
      .string()
      .regex(/^\d{1,12}$/)
      .transform(Number)
      .optional(),
    currency: z.string().length(3).optional(),
    duration: z.enum(['once', 'forever']),
  })
  .refine((coupon) => (coupon.percent_off === undefined) !== (coupon.amount_off === undefined), {
    path: ['percent_off'],
    message: 'You must pass either `percent_off` or `amount_off`.',
  })
  .refine((coupon) => coupon.amount_off === undefined || coupon.currency !== undefined, {
    path: ['currency'],
    message: 'You must pass `currency` when passing `amount_off`.',
  });

export function createCoupon(records: StripeRecords, request: z.output<typeof CouponRequest>, created: number): Coupon {
  if (records.named(request.id)) {
    throw new StripeFault('Coupon already exists.', { code: 'resource_already_exists', param: 'id' });
  }
  const { amount_off = null, currency = null, percent_off = null, ...others } = request;
  return records.put<Coupon>({ ...others, amount_off, currency, percent_off, object: 'coupon', created });
}

export const PromotionCodeRequest = z.strictObject({
  promotion: z.strictObject({ type: z.literal('coupon'), coupon: z.string() }),
  code: z.string().regex(/^[a-zA-Z0-9-]{1,500}$/),
  metadata: Metadata,
});

export function createPromotionCode(
  records: StripeRecords,
  request: z.output<typeof PromotionCodeRequest>,
  created: number,
): PromotionCode {
  const { coupon } = request.promotion;
  if (!records.find('coupon', coupon)) throw missing('coupon', coupon, 'promotion[coupon]');
  const isTaken = ({ active, code }: PromotionCode) => active && code.toUpperCase() === request.code.toUpperCase();
  if (records.all('promotion_code').some(isTaken)) {
    throw new StripeFault(`An active promotion code with \`code: ${request.code}\` already exists.`, { param: 'code' });
  }
  return records.put({ ...request, id: newId('promo'), object: 'promotion_code', active: true, created });
}

/** The coupon of a discount. @throws {StripeFault} if there is none, or its code is not active */
export function couponOf(
  records: StripeRecords,
  { coupon: couponId, promotion_code: codeId }: Readonly<Record<'coupon' | 'promotion_code', string | undefined>>,
): Coupon {
  const code = codeId === undefined ? undefined : records.find('promotion_code', codeId);
  if (codeId !== undefined && !code) throw missing('promotion_code', codeId, 'discounts[0][promotion_code]');
  if (code && !code.active) {
    throw new StripeFault('This promotion code is no longer active.', { code: 'promotion_code_expired' });
  }
  const id = code?.promotion.coupon ?? couponId ?? '';
  const coupon = records.find('coupon', id);
  if (!coupon) throw missing('coupon', id, 'discounts[0][coupon]');
  return coupon;
}

export const amountOff = (coupon: Coupon | undefined, cents: number): number => {
  if (!coupon) return 0;
  const { percent_off: percent, amount_off: amount } = coupon;
  return Math.min(cents, percent === null ? (amount ?? 0) : Math.round((cents * percent) / 100));
};
