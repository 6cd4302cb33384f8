/** Which events of Stripe are accepted, compared with the verdict of Stripe's own library. */
import Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { referenceOf } from '../../../shared/gateways/order-reference.ts';
import type { PaymentNotification } from '../../../shared/gateways/pix-gateway.ts';
import { subjectOf } from '../../../shared/gateways/stripe/stripe-event.ts';
import { testIds } from '../../support/test-table.ts';
import { gatewayWith, stripeKey, webhookSecret } from './stripe-access.ts';

const { webhooks } = new Stripe(stripeKey);
const now = 1_800_000_000_000;
const signedAt = now / 1000;
const reference = referenceOf(testIds.next(), 'test');

const bodyOf = (type: string, object: object, event: object = {}): string =>
  JSON.stringify({ id: 'evt_1Qabc', object: 'event', livemode: false, type, data: { object }, ...event }, null, 2);

const paid = bodyOf('invoice.paid', { id: 'in_1', parent: { subscription_details: { subscription: 'sub_1' } } });

const headerFor = (payload: string, given: { timestamp?: number; secret?: string; scheme?: string } = {}): string =>
  webhooks.generateTestHeaderString({ payload, secret: webhookSecret, timestamp: signedAt, ...given });

const notificationOf = (body: string, header: string | undefined = headerFor(body)): PaymentNotification => ({
  headers: header === undefined ? {} : { 'stripe-signature': header },
  query: {},
  body,
});

const read = (notification: PaymentNotification, given: Parameters<typeof gatewayWith>[0] = {}) =>
  gatewayWith({ now: () => now, ...given }).readEvent(notification);

const replacedAt = (text: string, index: number): string =>
  `${text.slice(0, index)}${text[index] === '0' ? '1' : '0'}${text.slice(index + 1)}`;

/** Signed and forged events: each is accepted by both the library and the adapter, or by neither. */
function variants(): readonly (readonly [body: string, header: string])[] {
  const header = headerFor(paid);
  const signature = header.slice(-64);
  const other = headerFor(paid, { secret: 'whsec_other' }).split(',')[1] ?? '';
  return [
    [paid, header],
    ...Array.from({ length: 64 }, (_, index) => [paid, replacedAt(header, header.length - 1 - index)] as const),
    ...Array.from({ length: paid.length }, (_, index) => [replacedAt(paid, index), header] as const),
    ...[-300, -299, -60, -1, 0, 20].map((s) => [paid, headerFor(paid, { timestamp: signedAt + s })] as const),
    ...[-301, -302, -3600, -86_400].map((s) => [paid, headerFor(paid, { timestamp: signedAt + s })] as const),
    [paid, headerFor(paid, { secret: 'whsec_other' })],
    [paid, headerFor(paid, { scheme: 'v0' })],
    [paid, `${header},${other}`],
    [paid, `t=${signedAt},${other},v1=${signature}`],
    [paid, `t=${signedAt},v0=${signature},${other}`],
    [paid, `v1=${signature},t=${signedAt}`],
    [paid, header.replace('t=', 'T=')],
    [paid, header.toUpperCase()],
    [paid, header.slice(0, -1)],
    [paid, `${header}0`],
    [paid, ''],
    [paid, 'v1='],
    [` ${paid}`, header],
    [paid.replaceAll('\n', '\r\n'), header],
    [JSON.stringify(JSON.parse(paid)), header],
  ];
}

function isAcceptedByStripe(body: string, header: string): boolean {
  try {
    webhooks.constructEvent(body, header, webhookSecret, undefined, undefined, now);
    return true;
  } catch {
    return false;
  }
}

describe('a Stripe event', () => {
  test('is accepted if and only if Stripe’s own library accepts it, in each of 200 variants', async () => {
    const all = variants();
    expect(all.length).toBeGreaterThanOrEqual(200);
    const verdicts = await Promise.all(
      all.map(async ([body, header]) => [
        (await read(notificationOf(body, header))) !== undefined,
        isAcceptedByStripe(body, header),
      ]),
    );
    const accepted = verdicts.filter(([ours]) => ours).length;
    expect(verdicts.filter(([ours, theirs]) => ours !== theirs)).toEqual([]);
    expect(accepted).toBe(10);
  });

  test('from the future is rejected, except for small clock differences', async () => {
    const ahead = (s: number) => read(notificationOf(paid, headerFor(paid, { timestamp: signedAt + s })));
    expect(await ahead(30)).toBeDefined();
    expect(await ahead(31)).toBeUndefined();
  });

  test('in test mode is rejected by a service with a live key, and vice versa', async () => {
    const live = notificationOf(bodyOf('charge.refunded', { id: 'ch_1' }, { livemode: true }));
    expect(await read(live)).toBeUndefined();
    expect(await read(notificationOf(paid), { key: 'rk_live_1' })).toBeUndefined();
    expect(await read(live, { key: 'rk_live_1' })).toEqual({ eventId: 'evt_1Qabc', subject: 'ch_1' });
    expect(await read(live, { key: 'sk_live_1' })).toBeDefined();
  });

  test.for([
    '',
    'no JSON',
    JSON.stringify({ id: 'evt_test_65', object: 'v2.core.event', type: 'v2.core.account.updated', livemode: false }),
    '{"id":"evt_1"}',
    'null',
  ])(
    'whose signed body is not an event of a type that the service processes is accepted and ignored: %s',
    async (body) => {
      expect(await read(notificationOf(body))).toBe('irrelevant');
      expect(await read(notificationOf(body, headerFor(body, { secret: 'whsec_other' })))).toBeUndefined();
    },
  );

  test.for([
    JSON.stringify({ id: 'ch_1', type: 'charge.refunded', livemode: false, data: { object: { id: 'ch_1' } } }),
    bodyOf('charge.refunded', {}),
    bodyOf('checkout.session.completed', { client_reference_id: reference }),
    bodyOf('customer.subscription.updated', { id: 'sub_1', metadata: 'order' }),
    bodyOf('invoice.paid', { id: 'in_1', parent: { subscription_details: { subscription: { id: 'sub_1' } } } }),
  ])('of a type that the service processes is reported as unreadable if its form is unknown: %s', async (body) => {
    expect(await read(notificationOf(body))).toBe('unreadable');
    expect(await read(notificationOf(body, headerFor(body, { secret: 'whsec_other' })))).toBeUndefined();
  });

  test('without a signature is rejected', async () => {
    expect(await read({ headers: {}, query: {}, body: paid })).toBeUndefined();
  });
});

describe('the subject of a Stripe event', () => {
  const session = { id: 'cs_test_1', client_reference_id: reference };
  const subscription = { id: 'sub_1', metadata: { order: reference } };
  test.for([
    ['checkout.session.completed', 'cs_test_1', session],
    ['checkout.session.expired', 'cs_test_1', session],
    ['customer.subscription.updated', 'sub_1', subscription],
    ['customer.subscription.deleted', 'sub_1', subscription],
    ['invoice.paid', 'sub_1', { id: 'in_1', parent: { subscription_details: { subscription: 'sub_1' } } }],
    ['invoice.payment_failed', 'sub_1', { id: 'in_1', parent: { subscription_details: { subscription: 'sub_1' } } }],
    // An event for an endpoint with an older API version.
    ['invoice.paid', 'in_1', { id: 'in_1', subscription: 'sub_1' }],
    ['charge.refunded', 'ch_1', { id: 'ch_1' }],
    ['charge.dispute.closed', 'dp_1', { id: 'dp_1' }],
  ] as const)('is found in the event %s: the object with the id %s', async ([type, subject, object]) => {
    expect(await read(notificationOf(bodyOf(type, object)))).toEqual({ eventId: 'evt_1Qabc', subject });
  });

  test.for([
    ['checkout.session.completed', { ...session, client_reference_id: 'invoice 7' }],
    ['checkout.session.completed', { ...session, client_reference_id: null }],
    ['checkout.session.expired', { ...session, client_reference_id: referenceOf(testIds.next(), 'another') }],
    ['customer.subscription.updated', { ...subscription, metadata: {} }],
    ['invoice.paid', { id: 'in_1', parent: { subscription_details: null } }],
    ['invoice.paid', { id: 'in_1', parent: null }],
    ['invoice.created', { id: 'in_1', parent: { subscription_details: { subscription: 'sub_1' } } }],
    ['payout.paid', { id: 'po_1' }],
  ] as const)(
    'is not found in the event %s with the object %j, which does not belong to this service',
    async ([type, object]) => {
      expect(await read(notificationOf(bodyOf(type, object)))).toBe('irrelevant');
    },
  );

  test('is found without reading metadata that the service has not written', () => {
    const read: (string | symbol)[] = [];
    const metadata = new Proxy(
      { order: reference, campaign: 'spring' },
      {
        get(fields, name) {
          read.push(name);
          return Reflect.get(fields, name) as unknown;
        },
      },
    );
    const event = { id: 'evt_1', type: 'customer.subscription.updated', livemode: false };
    expect(subjectOf({ ...event, data: { object: { id: 'sub_1', metadata } } }, 'test')).toEqual({ subject: 'sub_1' });
    expect(read).toContain('order');
    expect(read).not.toContain('campaign');
  });
});
