/** Checkouts, subscriptions and payments in the sandbox, as Stripe's own client sees them. */
import Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { idOf } from '../../../fakes/stripe/stripe-objects.ts';
import { failure, type StripeScene, start, stripeScene, subscribed, typesOf } from './stripe-scene.ts';

let scene: StripeScene;
let stripe: Stripe;

beforeAll(async () => {
  scene = await stripeScene();
  ({ stripe } = scene);
});
afterAll(() => scene.close());
beforeEach(() => scene.reset());

const seconds = (...date: [number, number, number, number]): number => Date.UTC(...date) / 1000;

const invoicesOf = async (subscription: string) =>
  (await stripe.invoices.list({ subscription, expand: ['data.payments'] })).data;

/** Of the latest payment, with what was returned of it. */
async function chargeOf(subscription: string) {
  const [invoice] = await invoicesOf(subscription);
  const intent = await stripe.paymentIntents.retrieve(idOf(invoice?.payments?.data[0]?.payment.payment_intent), {
    expand: ['latest_charge'],
  });
  return intent.latest_charge as Stripe.Charge;
}

describe('a checkout in the Stripe fake', () => {
  test('has the price of its line and a page, until it expires', async () => {
    const session = await scene.checkout({ expires_at: start / 1000 + 12 * 3600 });
    expect(session).toMatchObject({
      object: 'checkout.session',
      status: 'open',
      payment_status: 'unpaid',
      amount_total: 9990,
      currency: 'brl',
      client_reference_id: 'order-1',
      metadata: { order: 'order-1' },
      customer_email: 'ana@example.com',
      subscription: null,
      url: `${scene.fake.url}/checkout/${session.id}`,
    });
    scene.clock.now += 12 * 3_600_000;
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ status: 'expired', url: null });
    await scene.fake.sent();
    expect(typesOf(scene.received)).toEqual(['checkout.session.expired']);
  });

  test('that is completed has an active subscription, whose first period is paid', async () => {
    const { id } = await scene.checkout();
    scene.fake.pay(id);
    const session = await stripe.checkout.sessions.retrieve(id, { expand: ['subscription', 'line_items'] });
    expect(session).toMatchObject({ status: 'complete', payment_status: 'paid' });
    expect(session.line_items?.data).toMatchObject([{ amount_total: 9990, description: 'Creator' }]);
    const subscription = session.subscription as Stripe.Subscription;
    const [period] = [{ start: start / 1000, end: seconds(2026, 1, 28, 12) }];
    expect(subscription).toMatchObject({
      status: 'active',
      metadata: { order: 'order-1' },
      items: { data: [{ current_period_start: period.start, current_period_end: period.end }] },
    });
    const [invoice] = await invoicesOf(subscription.id);
    expect(invoice).toMatchObject({
      status: 'paid',
      amount_paid: 9990,
      billing_reason: 'subscription_create',
      parent: { subscription_details: { subscription: subscription.id } },
      lines: { data: [{ period }] },
      payments: { data: [{ status: 'paid', amount_paid: 9990 }] },
    });
    expect(await chargeOf(subscription.id)).toMatchObject({ amount: 9990, paid: true, refunded: false });
    await scene.fake.sent();
    expect(typesOf(scene.received)).toEqual([
      'checkout.session.completed',
      'customer.subscription.created',
      'invoice.paid',
    ]);
    const found = await stripe.checkout.sessions.list({ subscription: subscription.id });
    expect(found.data.map((one) => one.id)).toEqual([id]);
  });

  test('stays open when the card is declined, and can then be paid with another', async () => {
    const { id } = await scene.checkout();
    expect(scene.fake.pay(id, '4000 0000 0000 9995')).toEqual({ declineCode: 'insufficient_funds' });
    expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({ status: 'open', subscription: null });
    expect(scene.fake.pay(id)).toMatchObject({ status: 'complete' });
  });

  test('can be expired while it is open, and no longer when it is completed', async () => {
    const { id } = await scene.checkout();
    expect(await stripe.checkout.sessions.expire(id)).toMatchObject({ status: 'expired' });
    const { id: paid } = await scene.checkout();
    scene.fake.pay(paid);
    expect(await failure(stripe.checkout.sessions.expire(paid))).toBeInstanceOf(
      Stripe.errors.StripeInvalidRequestError,
    );
  });

  test('is created once for an idempotency key, which cannot be used for other parameters', async () => {
    const idempotencyKey = 'order-77';
    const first = await scene.checkout({}, { idempotencyKey });
    const second = await scene.checkout({}, { idempotencyKey });
    expect(second.id).toBe(first.id);
    expect(second.lastResponse.headers).toMatchObject({ 'idempotent-replayed': 'true' });
    const other = await failure(scene.checkout({ customer_email: 'bob@example.com' }, { idempotencyKey }));
    expect(other).toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
  });

  test.for([
    ['success_url', { success_url: 'nowhere' }],
    ['expires_at', { expires_at: start / 1000 + 60 }],
    ['line_items', { line_items: [] }],
    ['favorite_color', { favorite_color: 'blue' }],
    ['discounts[0][promotion_code]', { discounts: [{ promotion_code: 'promo_none' }] }],
  ] as const)('is rejected with the name of the wrong parameter: %s', async ([param, given]) => {
    const error = await failure(scene.checkout(given as Partial<Stripe.Checkout.SessionCreateParams>));
    expect(error).toMatchObject({ type: 'StripeInvalidRequestError', statusCode: 400, param });
  });

  test('is created after a rejection with the same key', async () => {
    const idempotencyKey = 'order-78';
    await failure(scene.checkout({ success_url: 'nowhere' }, { idempotencyKey }));
    expect(await scene.checkout({}, { idempotencyKey })).toMatchObject({ status: 'open' });
  });
});

describe('discounts in the Stripe fake', () => {
  const promotion = async (code: string, given: Stripe.CouponCreateParams) => {
    const coupon = await stripe.coupons.create(given);
    return stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon: coupon.id }, code });
  };

  test.for([
    ['once', { percent_off: 20, duration: 'once' }, [7992, 9990, 9990]],
    ['forever', { amount_off: 1000, currency: 'brl', duration: 'forever' }, [8990, 8990, 8990]],
    ['for two months', { percent_off: 50, duration: 'repeating', duration_in_months: 2 }, [4995, 4995, 9990]],
  ] as const)('apply %s', async ([span, given, paid]) => {
    const { id } = await promotion(`CODE-${span.replaceAll(' ', '-')}`, given);
    const subscription = await subscribed(scene, { discounts: [{ promotion_code: id }] });
    scene.fake.do(subscription, 'renew');
    scene.fake.do(subscription, 'renew');
    expect((await invoicesOf(subscription)).map((invoice) => invoice.amount_paid).toReversed()).toEqual(paid);
  });

  test('of the whole price create a subscription without a charge', async () => {
    const { id } = await promotion('FREE', { percent_off: 100, duration: 'once' });
    const subscription = await subscribed(scene, { discounts: [{ promotion_code: id }] }, '4000000000000002');
    expect(await invoicesOf(subscription)).toMatchObject([{ status: 'paid', total: 0, payments: { data: [] } }]);
    const sessions = await stripe.checkout.sessions.list({ subscription });
    expect(sessions.data).toMatchObject([{ amount_total: 0, payment_status: 'no_payment_required' }]);
  });

  test('have codes that are found in any letter case and are unique while they are active', async () => {
    const { id } = await promotion('Spring', { percent_off: 10, duration: 'once' });
    expect((await stripe.promotionCodes.list({ code: 'Spring' })).data).toMatchObject([{ id, code: 'Spring' }]);
    const again = () => promotion('SPRING', { percent_off: 10, duration: 'once' });
    expect(await failure(again())).toMatchObject({ param: 'code' });
    await stripe.promotionCodes.update(id, { active: false });
    expect((await stripe.promotionCodes.list({ code: 'Spring', active: true })).data).toEqual([]);
    expect(await again()).toMatchObject({ active: true });
  });
});

describe('a subscription in the Stripe fake', () => {
  test('is renewed on the day on which it began, or on the last one of a shorter month', async () => {
    const subscription = await subscribed(scene);
    scene.fake.do(subscription, 'renew');
    scene.fake.do(subscription, 'renew');
    const ends = (await invoicesOf(subscription)).map(({ lines }) => lines.data[0]?.period.end).toReversed();
    expect(ends).toEqual([seconds(2026, 1, 28, 12), seconds(2026, 2, 31, 12), seconds(2026, 3, 30, 12)]);
  });

  test('that is annual is renewed after a year', async () => {
    const annual = {
      currency: 'brl',
      unit_amount: 99_900,
      recurring: { interval: 'year' },
      product_data: { name: 'Creator' },
    } as const;
    const subscription = await subscribed(scene, { line_items: [{ quantity: 1, price_data: annual }] });
    expect((await invoicesOf(subscription))[0]?.lines.data[0]?.period.end).toBe(seconds(2027, 0, 31, 12));
  });

  test('is renewed automatically when its time has come', async () => {
    const subscription = await subscribed(scene);
    scene.clock.now = Date.UTC(2026, 3, 1);
    expect(await invoicesOf(subscription)).toHaveLength(3);
  });

  test('is past due while a renewal is unpaid, and active again when it is paid', async () => {
    const subscription = await subscribed(scene);
    scene.fake.do(subscription, 'fail-renewal');
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({ status: 'past_due' });
    expect((await invoicesOf(subscription))[0]).toMatchObject({ status: 'open', attempt_count: 1, amount_paid: 0 });
    scene.fake.do(subscription, 'pay-invoice');
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({ status: 'active' });
    await scene.fake.sent();
    expect(typesOf(scene.received.slice(3))).toEqual([
      'customer.subscription.updated',
      'customer.subscription.updated',
      'invoice.paid',
      'invoice.payment_failed',
    ]);
  });

  test('with a card that fails later is past due at the end of its first period, and finally canceled', async () => {
    const subscription = await subscribed(scene, {}, '4000000000000341');
    scene.fake.do(subscription, 'advance', 40);
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({ status: 'past_due' });
    scene.fake.do(subscription, 'give-up');
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({ status: 'canceled' });
  });

  test('can be canceled once', async () => {
    const subscription = await subscribed(scene);
    expect(await stripe.subscriptions.cancel(subscription)).toMatchObject({ status: 'canceled' });
    expect(await failure(stripe.subscriptions.cancel(subscription))).toMatchObject({ code: 'resource_missing' });
    expect((await stripe.subscriptions.list({ status: 'canceled' })).data[0]?.id).toBe(subscription);
  });

  test('that is set to end with its period is not renewed', async () => {
    const subscription = await subscribed(scene);
    const ending = await stripe.subscriptions.update(subscription, { cancel_at_period_end: true });
    expect(ending).toMatchObject({ status: 'active', cancel_at_period_end: true });
    scene.fake.do(subscription, 'renew');
    const ended = await stripe.subscriptions.retrieve(subscription);
    expect(ended).toMatchObject({ status: 'canceled', ended_at: seconds(2026, 1, 28, 12) });
    expect(await invoicesOf(subscription)).toHaveLength(1);
  });
});

describe('a payment in the Stripe fake', () => {
  test('can be refunded in part and then completely', async () => {
    const subscription = await subscribed(scene);
    scene.fake.do(subscription, 'refund-part');
    const charge = await chargeOf(subscription);
    expect(charge).toMatchObject({ amount_refunded: 100, refunded: false });
    expect(await failure(stripe.refunds.create({ charge: charge.id, amount: 9900 }))).toMatchObject({
      param: 'amount',
    });
    await stripe.refunds.create({ payment_intent: idOf(charge.payment_intent) });
    expect(await chargeOf(subscription)).toMatchObject({ amount_refunded: 9990, refunded: true });
    expect(await failure(stripe.refunds.create({ charge: charge.id }))).toMatchObject({
      code: 'charge_already_refunded',
    });
    expect((await stripe.refunds.list({ charge: charge.id })).data.map(({ amount }) => amount)).toEqual([9890, 100]);
    await scene.fake.sent();
    expect(typesOf(scene.received.slice(3))).toEqual(['charge.refunded', 'charge.refunded']);
  });

  test.for(['won', 'lost'] as const)('can be disputed, and the dispute %s', async (status) => {
    const subscription = await subscribed(scene);
    scene.fake.do(subscription, 'dispute');
    const charge = await chargeOf(subscription);
    expect(charge.disputed).toBe(true);
    expect((await stripe.disputes.list({ charge: charge.id })).data).toMatchObject([
      { status: 'needs_response', amount: 9990 },
    ]);
    scene.fake.do(subscription, status === 'won' ? 'win-dispute' : 'lose-dispute');
    expect((await stripe.disputes.list({ charge: charge.id })).data).toMatchObject([{ status }]);
  });
});
