/** How the sandbox for subscriptions treats requests, sends events and restarts, as Stripe's own client sees it. */
import { appendFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clientOf, failure, type StripeScene, start, stripeScene, subscribed, typesOf } from './stripe-scene.ts';

let scene: StripeScene;
let stripe: Stripe;

beforeAll(async () => {
  scene = await stripeScene();
  ({ stripe } = scene);
});
afterAll(() => scene.close());
beforeEach(() => scene.reset());

describe('requests to the Stripe fake', () => {
  test('with a wrong key are unauthorized', async () => {
    const error = await failure(clientOf(scene.fake.url, 'sk_test_other').events.list());
    expect(error).toBeInstanceOf(Stripe.errors.StripeAuthenticationError);
  });

  test('without the supported version are rejected', async () => {
    const headers = { authorization: 'Bearer sk_test_the_key' };
    const response = await fetch(`${scene.fake.url}/v1/events`, { headers });
    expect([response.status, await response.json()]).toMatchObject([400, { error: { type: 'invalid_request_error' } }]);
  });

  test('for an unknown object are rejected with its type and id', async () => {
    const error = await failure(stripe.subscriptions.retrieve('sub_none'));
    expect(error).toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
      message: "No such subscription: 'sub_none'",
    });
  });

  test('expand up to four levels of expandable fields', async () => {
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

  test('for lists return every object once, newest first, a page at a time', async () => {
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

  test('list the events of given types since a time', async () => {
    const own = await stripeScene();
    await subscribed(own);
    own.clock.now += 60_000;
    await subscribed(own);
    const created = { gte: own.clock.now / 1000 };
    const { data } = await own.stripe.events.list({ created, types: ['invoice.paid', 'checkout.session.*'] });
    expect(typesOf(data)).toEqual(['checkout.session.completed', 'invoice.paid']);
    await own.close();
  });

  test('fail as a test requests, with or without having taken effect', async () => {
    // Stripe's client repeats a request at once if the connection breaks off.
    scene.fake.outcomes.push('lost', 'lost', 'down', 'down', 500, 'page');
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

describe('events of the Stripe fake', () => {
  test('can be sent twice with one id', async () => {
    scene.fake.events = 'twice';
    await subscribed(scene);
    expect(scene.received).toHaveLength(6);
    expect(new Set(scene.received.map(({ id }) => id)).size).toBe(3);
  });

  test('that are reordered arrive after the next event, newest first', async () => {
    scene.fake.events = 'reordered';
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

  test('that are late still arrive, and lost ones do not but can be listed', async () => {
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

  test.for(['stale', 'forged'] as const)(
    'that are %s are not accepted by Stripe’s own verification',
    async (outcome) => {
      scene.fake.events = outcome;
      await subscribed(scene);
      expect([scene.received.length, scene.refused.length]).toEqual([0, 3]);
    },
  );
});

test('a button that a sandbox page does not have is rejected with the names of its buttons', async () => {
  const { id } = await scene.checkout();
  const pressOn = async (path: string, form: Record<string, string>) => {
    const response = await fetch(`${scene.fake.url}${path}`, { method: 'POST', body: new URLSearchParams(form) });
    return [response.status, await response.text()];
  };
  const ofCheckout = 'action must be one of pay, apply-code, abandon, expire';
  expect(await pressOn(`/checkout/${id}`, { action: 'buy' })).toEqual([400, `${ofCheckout}; it is "buy".\n`]);
  expect(await pressOn(`/checkout/${id}`, {})).toEqual([400, `${ofCheckout}.\n`]);
  expect(await pressOn(`/checkout/${id}`, { action: 'pay', events: 'soon' })).toEqual([
    400,
    'events must be one of at once, late, twice, reordered, lost, stale, forged; it is "soon".\n',
  ]);
  expect((await stripe.checkout.sessions.retrieve(id)).status).toBe('open');
  const subscription = await subscribed(scene);
  expect(await pressOn(`/subscriptions/${subscription}`, { action: 'end' })).toMatchObject([
    400,
    expect.stringContaining('renew, fail-renewal, '),
  ]);
});

test('returning from a checkout shows the order, escaped as text', async () => {
  const at = async (query: string) => (await fetch(`${scene.fake.url}/returned?${query}`)).text();
  expect(await at('orderId=order-1&checkout=completed')).toMatch(/checkout completed[\s\S]+\$API\/orders\/order-1 /);
  expect(await at('orderId=order-1&checkout=canceled')).toContain('left without paying');
  expect(await at('orderId=%3Cscript%3E')).not.toContain('<script>');
});

test('the Stripe fake keeps everything across a restart at the same address, even if the last line was cut off', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stripe-sandbox-'));
  const path = join(folder, 'private', 'stripe.jsonl');
  const before = await stripeScene({ path });
  const { id } = await before.checkout({}, { idempotencyKey: 'order-1' });
  const subscription = await subscribed(before);
  before.fake.do(subscription, 'renew');
  const events = await before.fake.sent();
  expect(events.length).toBeGreaterThan(3);
  await before.close();
  appendFileSync(path, '["cs_test_torn",{"obj');
  const after = await stripeScene({ path });
  expect(after.fake.url).toBe(before.fake.url);
  expect(await after.fake.sent()).toEqual(events);
  expect((await after.checkout({}, { idempotencyKey: 'order-1' })).id).toBe(id);
  expect((await after.stripe.invoices.list({ subscription })).data).toHaveLength(2);
  after.fake.do(subscription, 'renew');
  expect((await after.stripe.invoices.list({ subscription })).data).toHaveLength(3);
  expect(statSync(path).mode & 0o077).toBe(0);
  await after.close();
  rmSync(folder, { recursive: true });
});
