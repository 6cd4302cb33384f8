/** Discounts at Stripe: a coupon for each definition, and an active promotion code by which the customer sees it. */
import { createHash } from 'node:crypto';
import type { GatewayResponse } from '../exchange.ts';
import type { Discount } from '../subscription-gateway.ts';
import { errorIn, parseStripe, type StripeClient } from './stripe-client.ts';
import { PromotionCode, PromotionCodes } from './stripe-objects.ts';

/** Names the stage that made a code. */
const makerName = 'generation';

/** Codes are compared without regard to case. */
const codeOf = ({ code }: Discount): string => code.toUpperCase();

/** A changed discount has another coupon. */
function couponIdOf(discount: Discount): string {
  const definition = JSON.stringify([codeOf(discount), discount.off, discount.duration]);
  return `generation-${createHash('sha256').update(definition).digest('hex').slice(0, 32)}`;
}

/** What Stripe responded instead of doing as asked. */
interface Failed {
  readonly failure: GatewayResponse;
}

async function ensureCoupon(client: StripeClient, discount: Discount): Promise<Failed | undefined> {
  const { off, duration } = discount;
  const parameters = {
    id: couponIdOf(discount),
    // Shown on invoices.
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

/** Of all active codes, only one may have the same text. */
async function deactivate(client: StripeClient, ids: readonly string[]): Promise<Failed | undefined> {
  for (const id of ids) {
    const path = `/v1/promotion_codes/${encodeURIComponent(id)}`;
    const response = await client.send(path, { method: 'POST', parameters: { active: false } });
    if (response.status !== 200) return { failure: response };
  }
  return undefined;
}

/** The promotion code's id, or the response of Stripe by which there is none. @throws {Error} */
export async function promotionCodeFor(
  client: StripeClient,
  discount: Discount,
  stageName: string,
): Promise<{ readonly id: string } | Failed> {
  const known = await findCode(client, discount);
  if ('failure' in known) return known;
  if (known.found) return known.found;
  const outdated = known.active.filter(({ metadata }) => metadata?.[makerName] === stageName);
  const ids = outdated.map(({ id }) => id);
  const failed = (await deactivate(client, ids)) ?? (await ensureCoupon(client, discount));
  if (failed) return failed;
  const parameters = {
    promotion: { type: 'coupon', coupon: couponIdOf(discount) },
    code: codeOf(discount),
    metadata: { [makerName]: stageName },
  };
  const response = await client.send('/v1/promotion_codes', { method: 'POST', parameters });
  if (response.status === 200) return parseStripe(PromotionCode, response.body);
  // Another request may have made it meanwhile.
  const again = await findCode(client, discount);
  return 'found' in again && again.found ? again.found : { failure: response };
}
