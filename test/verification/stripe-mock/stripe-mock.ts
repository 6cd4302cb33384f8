/**
 * `npm run stripe-mock`: Stripe's own mock accepts every request of the adapter, and the adapter can read its
 * responses.
 */
import { afterAll, expect, test } from 'vitest';
import { referenceOf } from '../../../shared/gateways/order-reference.ts';
import { stripeGateway } from '../../../shared/gateways/stripe/stripe-gateway.ts';
import type { CheckoutRequest } from '../../../shared/gateways/subscription-gateway.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { randomIds } from '../../../shared/platform/ids.ts';
import { startMock } from './running-mock.ts';

const orderId = randomIds(systemClock).next();
const key = 'sk_test_123';

const mock = await startMock(referenceOf(orderId, 'local'));
afterAll(async () => {
  await mock.close();
  const kinds = [...new Set(mock.exchanges.map(({ request }) => request))].toSorted();
  process.stdout.write(`${mock.exchanges.length} requests of ${kinds.length} kinds:\n  ${kinds.join('\n  ')}\n`);
});

const gateway = stripeGateway({
  url: mock.url,
  key: async () => key,
  webhookSecret: async () => 'whsec_unused',
  returnUrl: () => 'https://shop.example/plans',
  stageName: () => 'local',
  clock: systemClock,
});

const checkout: CheckoutRequest = {
  orderId,
  planId: 'pro',
  planName: 'Pro',
  billingCycle: 'annual',
  cents: 2990,
  email: 'ana@example.com',
  expiresAt: systemClock.now() + 12 * 3_600_000,
};

test.each([
  ['without a discount', {}],
  ['with a percentage off forever', { discount: { code: 'LAUNCH-20', off: { percent: 20 }, duration: 'forever' } }],
  ['with an amount off once', { discount: { code: 'ten', off: { cents: 1000 }, duration: 'once' } }],
] as const)('a checkout %s is created', async (_, discount) => {
  const made = await gateway.createCheckout({ ...checkout, ...discount });
  expect(made).toMatchObject({ cents: 2990, currency: 'BRL', url: expect.stringMatching(/^https:/) });
});

test.each(['cs_test_1', 'sub_1', 'in_1', 'pi_1', 'ch_1', 'dp_1'])(
  'reading the object %s finds its order',
  async (subject) => {
    const subscription = { subscriptionId: 'sub_1', invoices: [expect.objectContaining({ invoiceId: 'in_1' })] };
    expect(await gateway.read(subject)).toMatchObject({ orderId, checkout: 'completed', subscription });
  },
);

test('a search for the changes of the last hour finds those of the order', async () => {
  const changed = await Array.fromAsync(gateway.changedSince(systemClock.now() - 3_600_000));
  expect(new Set(changed.map((one) => 'orderId' in one && one.orderId))).toEqual(new Set([orderId]));
});

test('a checkout can be expired, and a subscription canceled at once or at the end of its period', async () => {
  await gateway.expireCheckout('cs_test_1');
  await gateway.cancel('sub_1', 'period-end');
  await gateway.cancel('sub_1', 'now');
});

test('the mock accepts every request of the adapter, and rejects an unknown parameter', async () => {
  expect(mock.exchanges.filter(({ status }) => status !== 200)).toEqual([]);
  const nonsense = await fetch(`${mock.url}/v1/invoices?nonsense=1`, { headers: { authorization: `Bearer ${key}` } });
  expect(nonsense.status).toBe(400);
});
