/**
 * Creates discounts at Stripe: a coupon per definition, and an active promotion code that shows the customer its text.
 * If the seller uses the same text for another promotion code, the coupon is applied directly; its name, which the
 * customer sees, is the same.
 */
import { createHash } from 'node:crypto';
import type { GatewayResponse } from '../exchange.ts';
import type { Discount } from '../subscription-gateway.ts';
import { errorIn, parseStripe, type StripeClient } from './stripe-client.ts';
import { makerName, PromotionCode, PromotionCodes } from './stripe-objects.ts';

/** Codes are compared case-insensitively. */
const codeOf = ({ code }: Discount): string => code.toUpperCase();

/** The id of a discount's coupon; a changed discount gets another coupon. */
function couponIdOf(discount: Discount): string {
  const definition = JSON.stringify([codeOf(discount), discount.off, discount.duration]);
  return `generation-${createHash('sha256').update(definition).digest('hex').slice(0, 32)}`;
}

/** An error response of Stripe. */
interface Failed {
  readonly failure: GatewayResponse;
}

async function ensureCoupon(client: StripeClient, discount: Discount): Promise<Failed | undefined> {
  const { off, duration } = discount;
  const parameters = {
    id: couponIdOf(discount),
    // The coupon's name appears on invoices.
    name: codeOf(discount).slice(0, 40),
    duration,
    ...('percent' in off ? { percent_off: off.percent } : { amount_off: off.cents, currency: 'brl' }),
  };
  const response = await client.send('/v1/coupons', { method: 'POST', parameters });
  const isThere = response.status === 200 || errorIn(response).includes('resource_already_exists');
  return isThere ? undefined : { failure: response };
}

interface ActiveCodes {
  readonly active: readonly PromotionCode[];
  readonly found: PromotionCode | undefined;
}

async function findCode(client: StripeClient, discount: Discount): Promise<ActiveCodes | Failed> {
  const parameters = { code: codeOf(discount), active: true, limit: 100 };
  const response = await client.send('/v1/promotion_codes', { parameters });
  if (response.status !== 200) return { failure: response };
  const { data: active } = parseStripe(PromotionCodes, response.body);
  return { active, found: active.find(({ promotion }) => promotion.coupon === couponIdOf(discount)) };
}

/** Deactivates codes, because Stripe allows only one active code with the same text. */
async function deactivate(client: StripeClient, ids: readonly string[]): Promise<Failed | undefined> {
  for (const id of ids) {
    const path = `/v1/promotion_codes/${encodeURIComponent(id)}`;
    const response = await client.send(path, { method: 'POST', parameters: { active: false } });
    if (response.status !== 200) return { failure: response };
  }
  return undefined;
}

/** The discount parameter of a checkout. */
export type CheckoutDiscount = { readonly promotion_code: string } | { readonly coupon: string };

/** Returns the discount, or Stripe's response if there is none. @throws {Error} */
export async function checkoutDiscount(
  client: StripeClient,
  discount: Discount,
  stageName: string,
): Promise<CheckoutDiscount | Failed> {
  const known = await findCode(client, discount);
  if ('failure' in known) return known;
  if (known.found) return { promotion_code: known.found.id };
  const outdated = known.active.filter(({ metadata }) => metadata?.[makerName] === stageName);
  const ids = outdated.map(({ id }) => id);
  const failed = (await deactivate(client, ids)) ?? (await ensureCoupon(client, discount));
  if (failed) return failed;
  const coupon = couponIdOf(discount);
  const parameters = {
    promotion: { type: 'coupon', coupon },
    code: codeOf(discount),
    metadata: { [makerName]: stageName },
  };
  const response = await client.send('/v1/promotion_codes', { method: 'POST', parameters });
  if (response.status === 200) return { promotion_code: parseStripe(PromotionCode, response.body).id };
  // A concurrent request may have created the code meanwhile.
  const again = await findCode(client, discount);
  if ('failure' in again || again.active.length === 0) return { failure: response };
  return again.found ? { promotion_code: again.found.id } : { coupon };
}
