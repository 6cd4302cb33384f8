/** How the adapter handles rare responses: long lists, unusual invoices, and unreadable ones. */
import { describe, expect, test } from 'vitest';
import { subscriptionGateway } from '../../../shared/gateways/subscription-gateways.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { settingsOf } from '../../../shared/platform/settings.ts';
import { localServer } from '../../support/local-server.ts';
import { paidSubscription, servedInTests, serveOnly } from './served-objects.ts';
import { gatewayWith } from './stripe-access.ts';
import { checkoutRequest } from './stripe-scene.ts';

const server = await servedInTests();

const gateway = () => gatewayWith({ url: server.url });

async function invoiceRead(paid: ReturnType<typeof paidSubscription>) {
  serveOnly(server, paid);
  const report = await gateway().read(paid.session.id);
  return report?.subscription?.invoices[0];
}

describe('a paid Stripe invoice', () => {
  const plain = {
    invoiceId: 'in_1',
    cents: 2990,
    currency: 'BRL',
    periodStart: 1_700_000_002_000,
    periodEnd: 1_700_000_100_000,
    paidAt: 1_700_000_003_000,
    refundedCents: 0,
    isRefunded: false,
    isDisputed: false,
  };

  test('has the period of the purchase, even if it contains other lines', async () => {
    const paid = paidSubscription('1');
    const change = {
      period: { start: 1_600_000_000, end: 1_800_000_000 },
      parent: { subscription_item_details: { proration: true } },
    };
    paid.invoice.lines.data.unshift(change);
    expect(await invoiceRead(paid)).toEqual(plain);
    paid.invoice.lines.data = [change];
    expect(await invoiceRead(paid)).toMatchObject({
      periodStart: 1_600_000_000_000,
      periodEnd: 1_800_000_000_000,
    });
  });

  test.for([
    { start: 1, end: 1_700_000_000 },
    { start: 1_700_000_000, end: 9_000_000_000_000 },
    { start: 1_700_000_000, end: 1_700_000_000 },
    { start: 1_700_000_001, end: 1_700_000_000 },
  ])('is unreadable if its period is impossible: from second $start to second $end', async (period) => {
    const paid = paidSubscription('1');
    Object.assign(paid.invoice.lines, { data: [{ period }] });
    await expect(invoiceRead(paid)).rejects.toThrow('with an implausible period');
  });

  test('is read even if its payment time is impossible', async () => {
    const paid = paidSubscription('1');
    for (const paid_at of [0, -1, 9e15, 1e300]) {
      Object.assign(paid.invoice, { status_transitions: { paid_at } });
      expect(await invoiceRead(paid)).toEqual({ ...plain, paidAt: plain.periodStart });
    }
  });

  test('has the currency XXX (no currency) if that of Stripe is no valid code', async () => {
    const paid = paidSubscription('1');
    for (const currency of ['', 'R$', 'brl ', '\ud800']) {
      Object.assign(paid.invoice, { currency });
      expect(await invoiceRead(paid)).toEqual({ ...plain, currency: 'XXX' });
    }
  });

  test.for([
    ['not refunded', { amount_refunded: 0 }, { refundedCents: 0, isRefunded: false }],
    ['refunded in part', { amount_refunded: 100 }, { refundedCents: 100, isRefunded: false }],
    ['refunded completely', { amount_refunded: 2990 }, { refundedCents: 2990, isRefunded: true }],
  ] as const)('is reported as %s, as its charge states', async ([, changes, expected]) => {
    const paid = paidSubscription('1');
    Object.assign(paid.charge, changes);
    expect(await invoiceRead(paid)).toEqual({ ...plain, ...expected });
  });

  test.for([
    ['lost', 2990, 'brl', 'refunded', { refundedCents: 2990, isRefunded: true }],
    ['lost', 100, 'brl', 'partly refunded', { refundedCents: 100 }],
    ['lost', 4000, 'brl', 'refunded', { refundedCents: 2990, isRefunded: true }],
    ['lost', 100, 'usd', 'refunded', { refundedCents: 2990, isRefunded: true }],
    ['won', 2990, 'brl', 'paid', {}],
    ['warning_closed', 2990, 'brl', 'paid', {}],
    ['needs_response', 2990, 'brl', 'disputed', { isDisputed: true }],
    ['under_review', 100, 'brl', 'disputed', { isDisputed: true }],
    ['warning_needs_response', 2990, 'brl', 'disputed', { isDisputed: true }],
  ] as const)('with a dispute (%s, %i cents in %s) counts as %s', async ([status, amount, currency, , expected]) => {
    const paid = paidSubscription('1');
    paid.charge.disputed = true;
    serveOnly(server, paid);
    server.lists.set('/v1/disputes', [{ id: 'dp_1', charge: 'ch_1', status, amount, currency }]);
    const report = await gateway().read('dp_1');
    expect(report?.subscription?.invoices).toEqual([{ ...plain, ...expected }]);
  });

  test('has no charge if it was paid manually or its total was zero, and is otherwise unreadable without one', async () => {
    const byHand = paidSubscription('1');
    byHand.invoice.payments.data = [
      { id: 'inpay_1', status: 'paid', invoice: 'in_1', payment: { type: 'payment_record', payment_record: 'pr_1' } },
    ];
    expect(await invoiceRead(byHand)).toEqual(plain);
    const free = paidSubscription('1');
    free.invoice.amount_paid = 0;
    free.invoice.payments.data = [];
    expect(await invoiceRead(free)).toEqual({ ...plain, cents: 0 });
    const unknown = paidSubscription('1');
    unknown.charge.payment_intent = 'pi_another';
    await expect(invoiceRead(unknown)).rejects.toThrow('a paid invoice without its charge');
  });

  test('with many payments is read with all of them, and failed attempts do not count as refunds', async () => {
    const paid = paidSubscription('1');
    const refunded = { ...paid.charge, id: 'ch_2', payment_intent: 'pi_2', amount_refunded: 10 };
    const failed = { ...paid.charge, id: 'ch_3', status: 'failed', amount_refunded: 7 };
    const [first = { id: 'inpay_1' }] = paid.invoice.payments.data;
    const second = { ...first, id: 'inpay_2', payment: { type: 'payment_intent', payment_intent: 'pi_2' } };
    const attempt = { ...first, id: 'inpay_3', status: 'canceled', payment: { type: 'charge', charge: 'ch_9' } };
    paid.invoice.payments.has_more = true;
    serveOnly(server, paid);
    server.lists.set('/v1/charges', [failed, refunded, paid.charge]);
    server.lists.set('/v1/invoice_payments', [attempt, second, first]);
    const report = await gateway().read('sub_1');
    expect(report?.subscription?.invoices).toEqual([{ ...plain, refundedCents: 10 }]);
  });
});

describe('a Stripe subscription', () => {
  test('is read with its own metadata only, whatever else the seller has added', async () => {
    const paid = paidSubscription('1');
    Object.assign(paid.subscription.metadata, { note: 5 });
    serveOnly(server, paid);
    expect(await gateway().read('sub_1')).toMatchObject({ orderId: paid.orderId });
  });

  test.for([
    ['items', 'subscription'],
    ['lines', 'invoice'],
    ['payments', 'invoice'],
  ] as const)('is unreadable if it has over a hundred %s', async ([list, of]) => {
    const paid = paidSubscription('1');
    const { data } = (paid[of] as unknown as Readonly<Record<string, { data: unknown[] }>>)[list] ?? { data: [] };
    data.push(...Array.from({ length: 99 }, () => data[0]));
    serveOnly(server, paid);
    expect(await gateway().read('sub_1')).toMatchObject({ orderId: paid.orderId });
    data.push(data[0]);
    await expect(gateway().read('sub_1')).rejects.toThrow(`${list}.data (too_big)`);
  });

  test('is not found in a list that has more objects than were requested', async () => {
    const body = JSON.stringify({ data: Array.from({ length: 101 }, () => 0), has_more: false });
    const other = await localServer((_request, response) => void response.end(body));
    await expect(Array.fromAsync(gatewayWith({ url: other.url }).changedSince(0))).rejects.toThrow('data (too_big)');
    await other.close();
  });

  test.for([
    ['active', 'active'],
    ['trialing', 'active'],
    ['past_due', 'past_due'],
    ['unpaid', 'past_due'],
    ['paused', 'past_due'],
    ['canceled', 'canceled'],
    ['incomplete_expired', 'canceled'],
  ] as const)('that was paid for and is “%s” at Stripe counts as %s', async ([status, expected]) => {
    const paid = paidSubscription('1');
    paid.subscription.status = status;
    serveOnly(server, paid);
    expect((await gateway().read('sub_1'))?.subscription?.status).toBe(expected);
    server.lists.delete('/v1/invoices');
    const unpaid = expected === 'canceled' ? 'canceled' : 'unpaid';
    expect((await gateway().read('sub_1'))?.subscription).toMatchObject({ status: unpaid, invoices: [] });
  });

  test('counts as ending if it will be canceled within its period, whichever field says so', async () => {
    const paid = paidSubscription('1');
    const isEnding = async (changes: object) => {
      serveOnly(server, { ...paid, subscription: { ...paid.subscription, ...changes } });
      return (await gateway().read('sub_1'))?.subscription?.isEnding;
    };
    expect(await isEnding({})).toBe(false);
    expect(await isEnding({ cancel_at_period_end: true })).toBe(true);
    expect(await isEnding({ cancel_at: 1_700_000_100 })).toBe(true);
    expect(await isEnding({ cancel_at: 1_700_000_101 })).toBe(false);
    expect(await isEnding({ cancel_at_period_end: true, status: 'canceled' })).toBe(false);
  });

  test('is read with the invoices of all pages, oldest first, but causes an error if the list never ends', async () => {
    const paid = paidSubscription('1');
    const invoices = Array.from({ length: 250 }, (_, index) => {
      const period = { start: 1_750_000_000 - index, end: 1_750_000_001 - index };
      const lines = { data: [{ ...paid.invoice.lines.data[0], period }] };
      return { ...paid.invoice, id: `in_${index}`, lines };
    });
    serveOnly(server, paid);
    server.lists.set('/v1/invoices', invoices);
    const report = await gateway().read('cs_1');
    expect(report?.subscription?.invoices.map(({ invoiceId }) => invoiceId)).toEqual(
      invoices.map(({ id }) => id).toReversed(),
    );
    server.lists.set(
      '/v1/invoices',
      Array.from({ length: 1001 }, (_, index) => ({ id: `in_${index}` })),
    );
    await expect(gateway().read('cs_1')).rejects.toThrow('more than 1000 objects');
    expect(server.requests.at(-1)?.parameters).toMatchObject({
      subscription: 'sub_1',
      status: 'paid',
      'expand[0]': 'data.payments',
      limit: '100',
    });
  });

  test('is read with each invoice once, even if Stripe lists it twice with different amounts', async () => {
    const paid = paidSubscription('1');
    const { charge, invoice } = paid;
    serveOnly(server, paid);
    server.lists.set('/v1/invoices', [{ ...invoice, amount_paid: 1000 }, invoice]);
    server.lists.set('/v1/charges', [charge, { ...charge, amount_refunded: 1000 }]);
    const { subscription } = (await gateway().read(paid.session.id)) ?? {};
    expect(subscription?.invoices).toMatchObject([{ cents: 2990, refundedCents: 1000, isRefunded: false }]);
  });

  test('of another system belongs to no order, and neither does a payment without a subscription', async () => {
    const foreign = paidSubscription('1', 'another');
    serveOnly(server, foreign);
    server.lists.delete('/v1/invoice_payments');
    server.lists.set('/v1/payment_intents', [{ id: 'pi_9', created: 1_700_000_007 }]);
    server.lists.set('/v1/invoices', [{ ...foreign.invoice, id: 'in_9', parent: null }]);
    const charge = { ...foreign.charge, id: 'ch_9', payment_intent: null };
    server.lists.set('/v1/charges', [charge, { ...charge, id: 'ch_8', payment_intent: 'pi_9' }]);
    const plain = { orderId: undefined, checkout: 'completed' };
    for (const subject of ['cs_1', 'sub_1', 'pi_9', 'in_9', 'ch_9', 'ch_8']) {
      const report = await gateway().read(subject);
      expect(report).toMatchObject(plain);
      expect(report?.subscription).toBeUndefined();
    }
    expect((await gateway().read('pi_9'))?.createdAt).toBe(1_700_000_007_000);
  });

  test('that does not exist is not found, whatever its id', async () => {
    const asked = server.requests.length;
    for (const subject of ['cs_0', 'sub_0', 'in_0', 'pi_0', 'ch_0', 'dp_0']) {
      expect(await gateway().read(subject)).toBeUndefined();
    }
    expect(server.requests.length).toBeGreaterThan(asked);
    const before = server.requests.length;
    for (const subject of ['', '1', 'cus_1', 'sub_1/../../x', 'cs_é']) {
      expect(await gateway().read(subject)).toBeUndefined();
    }
    expect(server.requests.length).toBe(before);
  });
});

describe('a request to Stripe', () => {
  test('uses the configured key and the pinned API version, and is never made under the default settings', async () => {
    const paid = paidSubscription('1', 'prod');
    serveOnly(server, paid);
    const settings = settingsOf({
      SUBSCRIPTION_GATEWAY: 'stripe',
      STRIPE_URL: server.url,
      STRIPE_KEY: 'sk_test_of_settings',
      STAGE_NAME: 'prod',
    });
    const report = await subscriptionGateway({ settings, clock: systemClock }).read('sub_1');
    expect(report?.orderId).toBe(paid.orderId);
    expect(server.requests.at(-1)?.headers).toMatchObject({
      authorization: 'Bearer sk_test_of_settings',
      'stripe-version': '2026-10-28.endive',
    });
    expect(subscriptionGateway({ settings: settingsOf({}), clock: systemClock }).name).toBe('none');
  });

  test('that fails causes an error that quotes neither the key nor the payer', async () => {
    server.failing.set('/v1/checkout/sessions/cs_1', 403);
    server.failing.set('/v1/checkout/sessions/cs_1/expire', 403);
    const errors = await Promise.all(
      [
        gateway().read('cs_1'),
        gatewayWith({ url: server.url, key: 'sk_test_\nline' }).read('cs_1'),
        gateway().expireCheckout('cs_1'),
      ].map((one) => one.then(() => 'done', String)),
    );
    expect(errors).toEqual([
      'UnexpectedResponse: Stripe responded with 403, invalid_request_error to a request for an object',
      'Error: the key of Stripe contains characters that are not allowed in a header',
      'UnexpectedResponse: Stripe responded with 403, invalid_request_error to a request for an object',
    ]);
  });

  test('without a response ends with an error', async () => {
    const silent = await localServer(() => undefined);
    await expect(gatewayWith({ url: silent.url, timeLimitMs: 20 }).read('cs_1')).rejects.toThrow('timeout');
    await expect(
      gatewayWith({ url: silent.url, checkoutLimitMs: 20 }).createCheckout(checkoutRequest()),
    ).rejects.toThrow('timeout');
    await silent.close();
  });
});
