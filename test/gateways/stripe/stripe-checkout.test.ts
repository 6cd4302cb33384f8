/** Checkouts of the adapter to Stripe, with the sandbox of its API. */
import { afterAll, describe, expect, test } from 'vitest';
import { referenceOf } from '../../../shared/gateways/order-reference.ts';
import { OpenSession } from '../../../shared/gateways/stripe/stripe-objects.ts';
import type { Discount } from '../../../shared/gateways/subscription-gateway.ts';
import { checkoutRequest, stripeScene } from './stripe-scene.ts';

const scene = await stripeScene();
afterAll(() => scene.close());

describe('a Stripe checkout', () => {
  test('is requested as documented, with the order’s id as reference and idempotency key', async () => {
    const asked = checkoutRequest({ billingCycle: 'annual' });
    const checkout = await scene.gateway().createCheckout(asked);
    expect(checkout).toEqual({
      checkoutId: expect.stringMatching(/^cs_/),
      url: expect.stringMatching(/^http/),
      orderId: asked.orderId,
      cents: 2990,
      currency: 'BRL',
    });
    const { method, path, headers, body } = scene.fake.requests.at(-1) ?? {};
    expect([method, path]).toEqual(['POST', '/v1/checkout/sessions']);
    expect(headers).toMatchObject({
      'idempotency-key': asked.orderId,
      'content-type': 'application/x-www-form-urlencoded',
    });
    const reference = referenceOf(asked.orderId, 'test');
    const back = `https://shop.example/plans?from=service&orderId=${asked.orderId}&checkout=`;
    expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
      mode: 'subscription',
      client_reference_id: reference,
      'metadata[order]': reference,
      'subscription_data[metadata][order]': reference,
      customer_email: 'ana@example.com',
      expires_at: String(Math.floor(asked.expiresAt / 1000)),
      success_url: `${back}completed`,
      cancel_url: `${back}canceled`,
      'payment_method_types[0]': 'card',
      'adaptive_pricing[enabled]': 'false',
      'line_items[0][quantity]': '1',
      'line_items[0][price_data][currency]': 'brl',
      'line_items[0][price_data][unit_amount]': '2990',
      'line_items[0][price_data][recurring][interval]': 'year',
      'line_items[0][price_data][product_data][name]': 'Pro',
    });
  });

  test('is created once, however often the same order is checked out, even if a response was lost', async () => {
    const asked = checkoutRequest({ discount: { code: 'ONCE', off: { percent: 10 }, duration: 'once' } });
    // The promotion code is searched for and created; the response to the checkout's creation is lost.
    scene.fake.outcomes.push('done', 'done', 'done', 'lost');
    await expect(scene.gateway().createCheckout(asked)).rejects.toThrow();
    const repeated = await Promise.all([scene.gateway().createCheckout(asked), scene.gateway().createCheckout(asked)]);
    const { data } = await scene.client.checkout.sessions.list({ limit: 100 });
    const reference = referenceOf(asked.orderId, 'test');
    const own = data.filter(({ client_reference_id: one }) => one === reference);
    expect(repeated.map((one) => 'checkoutId' in one && one.checkoutId)).toEqual([own[0]?.id, own[0]?.id]);
    expect(own).toHaveLength(1);
  });

  test('that is refused causes an error with only documented codes and never the payer', async () => {
    const refused = await scene.gateway().createCheckout(checkoutRequest({ planName: '' }));
    expect(refused).toEqual({
      refusal: expect.stringMatching(/^Stripe refused the checkout with 400, invalid_request_error, .*\[name\]$/),
    });
    expect(await scene.gateway({ key: 'sk_test_other' }).createCheckout(checkoutRequest())).toEqual({
      refusal: 'Stripe refused the checkout with 401, invalid_request_error',
    });
    scene.fake.outcomes.push(429);
    const discount: Discount = { code: 'BUSY', off: { percent: 10 }, duration: 'once' };
    expect(await scene.gateway().createCheckout(checkoutRequest({ discount }))).toEqual({
      refusal: 'Stripe refused the promotion code with 429, invalid_request_error',
    });
  });

  test.for([500, 503, 409, 'down', 'page'] as const)('with an unknown outcome (%s) is an error', async (outcome) => {
    scene.fake.outcomes.push(outcome);
    await expect(scene.gateway().createCheckout(checkoutRequest())).rejects.toThrow();
    scene.fake.outcomes.length = 0;
  });

  test('of an order that was checked out before with other content is a conflict, because the earlier one may be paid', async () => {
    const { orderId } = await scene.made();
    const made = await scene.gateway().createCheckout(checkoutRequest({ orderId, cents: 1 }));
    expect(made).toEqual({ conflict: true });
  });

  test('can be expired any number of times, unless it is completed', async () => {
    const [open, paid] = [await scene.made(), await scene.subscribed()];
    for (const { checkoutId } of [open, open, paid, { checkoutId: 'cs_test_none' }]) {
      await scene.gateway().expireCheckout(checkoutId);
    }
    expect(await scene.gateway().read(open.checkoutId)).toMatchObject({ checkout: 'expired' });
    expect(await scene.gateway().read(paid.checkoutId)).toMatchObject({ checkout: 'completed' });
    const { checkoutId } = await scene.made();
    scene.fake.outcomes.push(500);
    await expect(scene.gateway().expireCheckout(checkoutId)).rejects.toThrow('500');
  });
});

describe('a Stripe discount', () => {
  test.for([
    [{ percent: 20 }, 2392],
    [{ percent: 100 }, 0],
    [{ cents: 990 }, 2000],
  ] as const)('of %o is deducted from the first period by a promotion code', async ([off, cents]) => {
    const code = `OFF-${Object.values(off)[0]}-${Object.keys(off)[0]}`;
    const { checkoutId, cents: first } = await scene.made({ discount: { code, off, duration: 'forever' } });
    expect(first).toBe(cents);
    scene.fake.pay(checkoutId);
    const report = await scene.gateway().read(checkoutId);
    expect(report?.subscription).toMatchObject({
      status: 'active',
      invoices: [{ cents, refundedCents: 0, isRefunded: false }],
    });
    const { data } = await scene.client.promotionCodes.list({ code: code.toUpperCase() });
    expect(data).toMatchObject([{ active: true, code: code.toUpperCase(), metadata: { generation: 'test' } }]);
  });

  test('for one period ends with that period, and a permanent one continues', async () => {
    const centsOf = async (duration: Discount['duration']) => {
      const { subscriptionId } = await scene.subscribed({
        discount: { code: duration, off: { percent: 50 }, duration },
      });
      scene.fake.do(subscriptionId, 'renew');
      return (await scene.gateway().read(subscriptionId))?.subscription?.invoices.map(({ cents }) => cents);
    };
    expect(await centsOf('once')).toEqual([1495, 2990]);
    expect(await centsOf('forever')).toEqual([1495, 1495]);
  });

  test('has one coupon and one active code at Stripe, even under concurrent use, and is replaced when it changes', async () => {
    const discount = { code: 'many', off: { percent: 20 }, duration: 'once' } as const;
    const cents = await Promise.all(Array.from({ length: 5 }, async () => (await scene.made({ discount })).cents));
    expect(new Set(cents)).toEqual(new Set([2392]));
    const active = async () => (await scene.client.promotionCodes.list({ code: 'MANY', active: true })).data;
    const [before, ...others] = await active();
    expect(others).toEqual([]);
    expect((await scene.made({ discount: { ...discount, code: 'Many', off: { percent: 30 } } })).cents).toBe(2093);
    const after = await active();
    expect(after).toHaveLength(1);
    expect(after[0]?.promotion.coupon).not.toBe(before?.promotion.coupon);
  });

  test('whose code another stage uses at Stripe is still deducted, by its own coupon and with the same displayed name', async () => {
    const discount: Discount = { code: 'shared', off: { percent: 20 }, duration: 'once' };
    const mine = await scene.made({ discount });
    const other: Discount = { ...discount, off: { percent: 50 } };
    const asked = checkoutRequest({ discount: other });
    const elsewhere = scene.gateway({ stageName: 'other' });
    const made = await elsewhere.createCheckout(asked);
    expect([mine.cents, made]).toEqual([2392, expect.objectContaining({ cents: 1495 })]);
    expect(await elsewhere.createCheckout(asked)).toEqual(made);
    const { data } = await scene.client.promotionCodes.list({ code: 'SHARED' });
    expect(data).toMatchObject([{ active: true, metadata: { generation: 'test' } }]);
    const page = await fetch('url' in made ? made.url : '');
    expect(await page.text()).toContain('SHARED');
    expect((await scene.made({ discount })).cents).toBe(2392);
  });

  test('that Stripe rejects causes the checkout to be refused', async () => {
    // The code is searched for and its coupon is created.
    scene.fake.outcomes.push('done', 'done', 400);
    const discount: Discount = { code: 'REJECTED', off: { percent: 20 }, duration: 'once' };
    expect(await scene.gateway().createCheckout(checkoutRequest({ discount }))).toEqual({
      refusal: expect.stringMatching(/^Stripe refused the promotion code with 400/),
    });
  });
});

test.for(['javascript:alert(1)', 'https://example.com/\ud800', `https://example.com/${'a'.repeat(5000)}`])(
  'a Stripe checkout whose address could not be stored or opened is an error: %j',
  (url) => {
    const session = { id: 'cs_1', amount_total: 100, currency: 'brl', url: 'https://example.com/pay#cs_1' };
    expect(OpenSession.safeParse(session).success).toBe(true);
    expect(OpenSession.safeParse({ ...session, url }).success).toBe(false);
  },
);
