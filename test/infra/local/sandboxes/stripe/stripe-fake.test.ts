/** The sandbox for subscriptions, as Stripe's own client sees it. */
import { appendFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clientOf, type StripeScene, start, stripeScene, subscribed } from './stripe-scene.ts';

let scene: StripeScene;
let stripe: Stripe;

beforeAll(async () => {
  scene = await stripeScene();
  ({ stripe } = scene);
});
afterAll(() => scene.close());
beforeEach(async () => {
  scene.clock.now = start;
  scene.fake.events = 'at once';
  scene.fake.fates.length = 0;
  await scene.fake.sent();
  scene.received.length = 0;
  scene.refused.length = 0;
});

const seconds = (...date: [number, number, number, number]): number => Date.UTC(...date) / 1000;

const failure = async (request: Promise<unknown>) =>
  request.then(
    () => undefined,
    (error: Stripe.errors.StripeError) => error,
  );

const invoicesOf = async (subscription: string) =>
  (await stripe.invoices.list({ subscription, expand: ['data.payments'] })).data;

/** Of the latest payment, with what was returned of it. */
async function chargeOf(subscription: string) {
  const [invoice] = await invoicesOf(subscription);
  const intent = await stripe.paymentIntents.retrieve(String(invoice?.payments?.data[0]?.payment.payment_intent), {
    expand: ['latest_charge'],
  });
  return intent.latest_charge as Stripe.Charge;
}

const typesOf = (events: readonly { type: string }[]) => events.map(({ type }) => type).toSorted();

describe('a checkout', () => {
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

  test('is created once for a key, which is of no use for other parameters', async () => {
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
    ['favorite_color', { favorite_color: 'blue' } as object],
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

describe('discounts', () => {
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

  test('of the whole price make a subscription for which nothing is charged', async () => {
    const { id } = await promotion('FREE', { percent_off: 100, duration: 'once' });
    const subscription = await subscribed(scene, { discounts: [{ promotion_code: id }] }, '4000000000000002');
    expect(await invoicesOf(subscription)).toMatchObject([{ status: 'paid', total: 0, payments: { data: [] } }]);
    const sessions = await stripe.checkout.sessions.list({ subscription });
    expect(sessions.data).toMatchObject([{ amount_total: 0, payment_status: 'no_payment_required' }]);
  });

  test('have codes that are found in any case and are unique while they are active', async () => {
    const { id } = await promotion('Spring', { percent_off: 10, duration: 'once' });
    expect((await stripe.promotionCodes.list({ code: 'Spring' })).data).toMatchObject([{ id, code: 'Spring' }]);
    expect(await failure(promotion('SPRING', { percent_off: 10, duration: 'once' }))).toMatchObject({ param: 'code' });
  });
});

describe('a subscription', () => {
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

  test('is renewed when its time has come, without a button', async () => {
    const subscription = await subscribed(scene);
    scene.clock.now = Date.UTC(2026, 3, 1);
    expect(await invoicesOf(subscription)).toHaveLength(3);
  });

  test('is past due while a renewal is not paid, and active again when it is', async () => {
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

  test('with a card that fails later is past due at the end of its first period, and canceled in the end', async () => {
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

  test('that is to end with its period is not renewed', async () => {
    const subscription = await subscribed(scene);
    const ending = await stripe.subscriptions.update(subscription, { cancel_at_period_end: true });
    expect(ending).toMatchObject({ status: 'active', cancel_at_period_end: true });
    scene.fake.do(subscription, 'renew');
    const ended = await stripe.subscriptions.retrieve(subscription);
    expect(ended).toMatchObject({ status: 'canceled', ended_at: seconds(2026, 1, 28, 12) });
    expect(await invoicesOf(subscription)).toHaveLength(1);
  });
});

describe('a payment', () => {
  test('is returned in part, and then whole', async () => {
    const subscription = await subscribed(scene);
    scene.fake.do(subscription, 'refund-part');
    const charge = await chargeOf(subscription);
    expect(charge).toMatchObject({ amount_refunded: 100, refunded: false });
    expect(await failure(stripe.refunds.create({ charge: charge.id, amount: 9900 }))).toMatchObject({
      param: 'amount',
    });
    await stripe.refunds.create({ payment_intent: String(charge.payment_intent) });
    expect(await chargeOf(subscription)).toMatchObject({ amount_refunded: 9990, refunded: true });
    expect(await failure(stripe.refunds.create({ charge: charge.id }))).toMatchObject({
      code: 'charge_already_refunded',
    });
    expect((await stripe.refunds.list({ charge: charge.id })).data.map(({ amount }) => amount)).toEqual([9890, 100]);
    await scene.fake.sent();
    expect(typesOf(scene.received.slice(3))).toEqual(['charge.refunded', 'charge.refunded']);
  });

  test.for(['won', 'lost'] as const)('is disputed, and the dispute is %s', async (status) => {
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

describe('requests', () => {
  test('with a wrong key are unauthorized', async () => {
    const error = await failure(clientOf(scene.fake.url, 'sk_test_other').events.list());
    expect(error).toBeInstanceOf(Stripe.errors.StripeAuthenticationError);
  });

  test('without the version that is spoken are rejected', async () => {
    const headers = { authorization: 'Bearer sk_test_the_key' };
    const response = await fetch(`${scene.fake.url}/v1/events`, { headers });
    expect([response.status, await response.json()]).toMatchObject([400, { error: { type: 'invalid_request_error' } }]);
  });

  test('for something that does not exist are answered with its kind and id', async () => {
    const error = await failure(stripe.subscriptions.retrieve('sub_none'));
    expect(error).toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
      message: "No such subscription: 'sub_none'",
    });
  });

  test('expand up to four levels of what can be expanded', async () => {
    const subscription = await subscribed(scene);
    const expand = ['data.payments.data.payment'];
    expect((await stripe.invoices.list({ subscription, expand })).data[0]?.payments?.data).toHaveLength(1);
    expect(
      await failure(stripe.invoices.list({ subscription, expand: ['data.payments.data.payment.payment_intent'] })),
    ).toMatchObject({ code: 'property_expansion_max_depth' });
    expect(await failure(stripe.subscriptions.retrieve(subscription, { expand: ['color'] }))).toMatchObject({
      param: 'expand',
    });
  });

  test('for lists give every object once, newest first, a page at a time', async () => {
    const own = await stripeScene();
    const ids: string[] = [];
    for (let count = 0; count < 7; count += 1) {
      own.clock.now += 60_000;
      ids.unshift((await own.checkout()).id);
    }
    const listed = await own.stripe.checkout.sessions.list({ limit: 3 }).autoPagingToArray({ limit: 100 });
    expect(listed.map(({ id }) => id)).toEqual(ids);
    const since = { gte: start / 1000 + 5 * 60 };
    const recent = await own.stripe.checkout.sessions.list({ created: since });
    expect(recent.data.map(({ id }) => id)).toEqual(ids.slice(0, 3));
    await own.close();
  });

  test('list the events of some types since a time', async () => {
    const own = await stripeScene();
    await subscribed(own);
    own.clock.now += 60_000;
    await subscribed(own);
    const created = { gte: own.clock.now / 1000 };
    const { data } = await own.stripe.events.list({ created, types: ['invoice.paid', 'checkout.session.*'] });
    expect(typesOf(data)).toEqual(['checkout.session.completed', 'invoice.paid']);
    await own.close();
  });

  test('fail as a test wants them to, with and without having done their work', async () => {
    // Stripe's client repeats a request at once if the connection breaks off.
    scene.fake.fates.push('lost', 'lost', 'down', 'down', 500, 'page');
    const idempotencyKey = 'order-79';
    const lost = await failure(scene.checkout({}, { idempotencyKey }));
    expect(lost).toBeInstanceOf(Stripe.errors.StripeConnectionError);
    expect(await failure(scene.checkout({}, { idempotencyKey: 'order-80' }))).toBeInstanceOf(
      Stripe.errors.StripeConnectionError,
    );
    expect(await failure(stripe.events.list())).toMatchObject({ statusCode: 500 });
    expect(await failure(stripe.events.list())).toBeInstanceOf(Stripe.errors.StripeAPIError);
    const again = await scene.checkout({}, { idempotencyKey });
    expect(again.lastResponse.headers).toMatchObject({ 'idempotent-replayed': 'true' });
    const other = await scene.checkout({}, { idempotencyKey: 'order-80' });
    expect(other.lastResponse.headers).not.toHaveProperty('idempotent-replayed');
  });
});

describe('events', () => {
  test('are sent twice with one id', async () => {
    scene.fake.events = 'twice';
    await subscribed(scene);
    expect(scene.received).toHaveLength(6);
    expect(new Set(scene.received.map(({ id }) => id)).size).toBe(3);
  });

  test('that are held arrive after those of the next step, in reverse order', async () => {
    scene.fake.events = 'held';
    const subscription = await subscribed(scene);
    expect(scene.received).toEqual([]);
    scene.fake.events = 'at once';
    scene.fake.do(subscription, 'cancel-now');
    await scene.fake.sent();
    expect(scene.received.map(({ type }) => type)).toEqual([
      'customer.subscription.deleted',
      'checkout.session.completed',
      'customer.subscription.created',
      'invoice.paid',
    ]);
  });

  test('that are late arrive all the same, and those that are lost do not, but can be listed', async () => {
    scene.fake.events = 'late';
    const subscription = await subscribed(scene);
    expect(scene.received).toHaveLength(3);
    scene.fake.events = 'lost';
    scene.fake.do(subscription, 'cancel-now');
    await scene.fake.sent();
    expect(scene.received).toHaveLength(3);
    const [event] = (await stripe.events.list({ type: 'customer.subscription.deleted', limit: 1 })).data;
    expect(event?.data.object).toMatchObject({ id: subscription, status: 'canceled' });
    await scene.fake.resend(event?.id ?? '');
    expect(scene.received.at(-1)?.id).toBe(event?.id);
  });

  test.for(['stale', 'forged'] as const)('that are %s are not accepted by Stripe’s own verification', async (fate) => {
    scene.fake.events = fate;
    await subscribed(scene);
    expect([scene.received.length, scene.refused.length]).toEqual([0, 3]);
  });
});

test('everything survives a restart at the same address, even if the last line was cut off', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stripe-sandbox-'));
  const path = join(folder, 'private', 'stripe.jsonl');
  const before = await stripeScene({ path });
  const { id } = await before.checkout({}, { idempotencyKey: 'order-1' });
  const subscription = await subscribed(before);
  before.fake.do(subscription, 'renew');
  await before.close();
  appendFileSync(path, '["cs_test_torn",{"obj');
  const after = await stripeScene({ path });
  expect(after.fake.url).toBe(before.fake.url);
  expect((await after.checkout({}, { idempotencyKey: 'order-1' })).id).toBe(id);
  expect((await after.stripe.invoices.list({ subscription })).data).toHaveLength(2);
  after.fake.do(subscription, 'renew');
  expect((await after.stripe.invoices.list({ subscription })).data).toHaveLength(3);
  expect(statSync(path).mode & 0o077).toBe(0);
  await after.close();
  rmSync(folder, { recursive: true });
});
