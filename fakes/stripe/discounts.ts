/** Coupons and promotion codes, and how they reduce a price. */
import * as z from 'zod';
import { missing, StripeFault } from './stripe-fault.ts';
import { type Coupon, type Discount, idOf, type PromotionCode } from './stripe-objects.ts';
import { newId, type StripeRecords } from './stripe-records.ts';

const whole = z
  .string()
  .regex(/^\d{1,12}$/)
  .transform(Number);
export const Metadata = z.record(z.string().max(40), z.string().max(500)).default({});
export const Flag = z.enum(['true', 'false']).transform((text) => text === 'true');

export const CouponRequest = z
  .strictObject({
    id: z.string().min(1).max(200).optional(),
    name: z.string().max(40).optional(),
    percent_off: z.string().transform(Number).pipe(z.number().gt(0).max(100)).optional(),
    amount_off: whole.optional(),
    currency: z.string().length(3).optional(),
    duration: z.enum(['once', 'repeating', 'forever']).default('once'),
    duration_in_months: whole.optional(),
    max_redemptions: whole.optional(),
    redeem_by: whole.optional(),
    metadata: Metadata,
  })
  .refine((coupon) => (coupon.percent_off === undefined) !== (coupon.amount_off === undefined), {
    path: ['percent_off'],
    message: 'You must pass either `percent_off` or `amount_off`.',
  })
  .refine((coupon) => coupon.amount_off === undefined || coupon.currency !== undefined, {
    path: ['currency'],
    message: 'You must pass `currency` when passing `amount_off`.',
  })
  .refine((coupon) => (coupon.duration === 'repeating') === (coupon.duration_in_months !== undefined), {
    path: ['duration_in_months'],
    message: 'You must pass `duration_in_months` if and only if the duration is `repeating`.',
  });

export function createCoupon(records: StripeRecords, request: z.output<typeof CouponRequest>, created: number): Coupon {
  const id = request.id ?? newId('co').slice(3, 11);
  if (records.named(id)) {
    throw new StripeFault('Coupon already exists.', { code: 'resource_already_exists', param: 'id' });
  }
  return records.put({
    id,
    object: 'coupon',
    amount_off: request.amount_off ?? null,
    created,
    currency: request.currency ?? null,
    duration: request.duration,
    duration_in_months: request.duration_in_months ?? null,
    livemode: false,
    max_redemptions: request.max_redemptions ?? null,
    metadata: request.metadata,
    name: request.name ?? null,
    percent_off: request.percent_off ?? null,
    redeem_by: request.redeem_by ?? null,
    times_redeemed: 0,
    valid: true,
  });
}

export const PromotionCodeRequest = z.strictObject({
  promotion: z.strictObject({ type: z.literal('coupon'), coupon: z.string() }),
  code: z
    .string()
    .regex(/^[a-zA-Z0-9-]{1,500}$/)
    .optional(),
  active: Flag.default(true),
  expires_at: whole.optional(),
  max_redemptions: whole.optional(),
  metadata: Metadata,
});

const equalCodes = (one: string, other: string): boolean => one.toUpperCase() === other.toUpperCase();

export function createPromotionCode(
  records: StripeRecords,
  request: z.output<typeof PromotionCodeRequest>,
  created: number,
): PromotionCode {
  const { coupon } = request.promotion;
  if (!records.find('coupon', coupon)) throw missing('coupon', coupon, 'promotion[coupon]');
  const code = request.code ?? newId('code').slice(5, 13).toUpperCase();
  if (records.all('promotion_code').some((one) => one.active && equalCodes(one.code, code))) {
    throw new StripeFault(`An active promotion code with \`code: ${code}\` already exists.`, { param: 'code' });
  }
  return records.put({
    id: newId('promo'),
    object: 'promotion_code',
    active: request.active,
    code,
    created,
    customer: null,
    customer_account: null,
    expires_at: request.expires_at ?? null,
    livemode: false,
    max_redemptions: request.max_redemptions ?? null,
    metadata: request.metadata,
    promotion: { coupon, type: 'coupon' },
    restrictions: { first_time_transaction: false, minimum_amount: null, minimum_amount_currency: null },
    times_redeemed: 0,
  });
}

const isUsable = (
  limits: {
    redeem_by?: number | null;
    expires_at?: number | null;
    max_redemptions: number | null;
    times_redeemed: number;
  },
  now: number,
): boolean =>
  (limits.redeem_by ?? limits.expires_at ?? Number.POSITIVE_INFINITY) > now &&
  (limits.max_redemptions ?? Number.POSITIVE_INFINITY) > limits.times_redeemed;

export interface Reduction {
  readonly coupon: Coupon;
  readonly promotionCode?: PromotionCode;
}

/** The reduction by a coupon. @throws {StripeFault} if it cannot be redeemed */
export function couponReduction(records: StripeRecords, id: string, now: number): Reduction {
  const coupon = records.find('coupon', id);
  if (!coupon) throw missing('coupon', id, 'discounts[0][coupon]');
  if (isUsable(coupon, now)) return { coupon };
  throw new StripeFault(`Coupon ${id} is expired or has been redeemed too often.`, { code: 'coupon_expired' });
}

/** The reduction by a promotion code. @throws {StripeFault} if it cannot be redeemed */
export function promotionReduction(records: StripeRecords, promotionCode: PromotionCode, now: number): Reduction {
  if (!promotionCode.active || !isUsable(promotionCode, now)) {
    throw new StripeFault('This promotion code is expired or no longer active.', { code: 'promotion_code_expired' });
  }
  return { ...couponReduction(records, idOf(promotionCode.promotion.coupon), now), promotionCode };
}

export const promotionCodeNamed = (records: StripeRecords, code: string): PromotionCode | undefined =>
  records.all('promotion_code').find((one) => one.active && equalCodes(one.code, code));

export const amountOff = ({ percent_off, amount_off }: Coupon, cents: number): number =>
  Math.min(cents, percent_off === null ? (amount_off ?? 0) : Math.round((cents * percent_off) / 100));

/** Counts the redemption and adds the discount to the subscription. */
export function redeem(
  records: StripeRecords,
  { coupon, promotionCode }: Reduction,
  {
    sessionId,
    subscriptionId,
    customerId,
    start,
  }: Record<'sessionId' | 'subscriptionId' | 'customerId', string> & {
    readonly start: number;
  },
): Discount {
  records.put({ ...coupon, times_redeemed: coupon.times_redeemed + 1 });
  if (promotionCode) records.put({ ...promotionCode, times_redeemed: promotionCode.times_redeemed + 1 });
  return records.put({
    id: newId('di'),
    object: 'discount',
    checkout_session: sessionId,
    customer: customerId,
    customer_account: null,
    end: null,
    invoice: null,
    invoice_item: null,
    promotion_code: promotionCode?.id ?? null,
    source: { coupon: coupon.id, type: 'coupon' },
    start,
    subscription: subscriptionId,
    subscription_item: null,
  });
}
