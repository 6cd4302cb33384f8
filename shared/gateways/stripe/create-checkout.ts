/**
 * Creates checkout pages at Stripe. All parameters derive from the request, so that repeating it returns the same page.
 */
import type { GatewayResponse } from '../exchange.ts';
import { referenceOf } from '../order-reference.ts';
import type { Checkout, CheckoutConflict, CheckoutRefusal, CheckoutRequest } from '../subscription-gateway.ts';
import { type CheckoutDiscount, checkoutDiscount } from './checkout-discount.ts';
import { errorIn, type Parameters, parseStripe, type StripeClient, unexpected } from './stripe-client.ts';
import { OpenSession, referenceName } from './stripe-objects.ts';

export interface CheckoutSettings {
  readonly stageName: string;
  /** The URL to which the browser is redirected afterwards. */
  readonly returnUrl: string;
}

/** Whether the idempotency key was used with other parameters, which says nothing about this request. */
const isConflict = (response: GatewayResponse): boolean =>
  response.status === 400 && errorIn(response).includes('idempotency_error');

/** Whether Stripe refused the request and did nothing. */
const isRefusal = ({ status }: GatewayResponse): boolean => [400, 401, 402, 403, 404, 429].includes(status);

function returningTo(returnUrl: string, orderId: string, checkout: 'completed' | 'canceled'): string {
  const url = new URL(returnUrl);
  url.searchParams.set('orderId', orderId);
  url.searchParams.set('checkout', checkout);
  return url.href;
}

function parametersOf(
  { orderId, planName, billingCycle, cents, email, expiresAt }: CheckoutRequest,
  { stageName, returnUrl }: CheckoutSettings,
  discount: CheckoutDiscount | undefined,
): Parameters {
  const reference = referenceOf(orderId, stageName);
  const metadata = { [referenceName]: reference };
  return {
    mode: 'subscription',
    client_reference_id: reference,
    metadata,
    subscription_data: { metadata },
    customer_email: email,
    expires_at: Math.floor(expiresAt / 1000),
    success_url: returningTo(returnUrl, orderId, 'completed'),
    cancel_url: returningTo(returnUrl, orderId, 'canceled'),
    // Checkouts accept cards only, because these are charged at once and in the currency of the price.
    payment_method_types: ['card'],
    adaptive_pricing: { enabled: false },
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: 'brl',
          unit_amount: cents,
          recurring: { interval: billingCycle === 'annual' ? 'year' : 'month' },
          product_data: { name: planName },
        },
      },
    ],
    ...(discount && { discounts: [{ ...discount }] }),
  };
}

const refusalOf = (what: string, response: GatewayResponse): CheckoutRefusal => ({
  refusal: `Stripe refused ${what} with ${[response.status, ...errorIn(response)].join(', ')}`,
});

/** Creates a checkout. @throws {Error} if it is unknown whether the checkout exists */
export async function createCheckout(
  client: StripeClient,
  request: CheckoutRequest,
  settings: CheckoutSettings,
): Promise<Checkout | CheckoutRefusal | CheckoutConflict> {
  const { orderId } = request;
  const discount = request.discount && (await checkoutDiscount(client, request.discount, settings.stageName));
  if (discount && 'failure' in discount) {
    const { failure } = discount;
    if (isRefusal(failure)) return refusalOf('the promotion code', failure);
    throw unexpected('a promotion code', failure);
  }
  const parameters = parametersOf(request, settings, discount);
  const response = await client.send('/v1/checkout/sessions', { method: 'POST', parameters, idempotencyKey: orderId });
  if (isConflict(response)) return { conflict: true };
  if (isRefusal(response)) return refusalOf('the checkout', response);
  if (response.status !== 200) throw unexpected('a checkout', response);
  const { id: checkoutId, url, amount_total: cents, currency } = parseStripe(OpenSession, response.body);
  return { checkoutId, url, orderId, cents, currency };
}
