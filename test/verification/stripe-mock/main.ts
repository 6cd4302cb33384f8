/**
 * `npm run stripe-mock`: Stripe's own mock accepts every request of the adapter to Stripe, and the adapter can read the
 * responses.
 */
import { deepStrictEqual, ok } from 'node:assert/strict';
import { referenceOf } from '../../../shared/gateways/order-reference.ts';
import { stripeGateway } from '../../../shared/gateways/stripe/stripe-gateway.ts';
import type { CheckoutRequest, SubscriptionGateway } from '../../../shared/gateways/subscription-gateway.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { randomIds } from '../../../shared/platform/ids.ts';
import { writeTestCounts } from '../write-test-counts.ts';
import { type RunningMock, startMock } from './running-mock.ts';

const orderId = randomIds(systemClock).next();
const key = 'sk_test_123';

const checkout: CheckoutRequest = {
  orderId,
  planId: 'pro',
  planName: 'Pro',
  billingCycle: 'annual',
  cents: 2990,
  email: 'ana@example.com',
  expiresAt: systemClock.now() + 12 * 3_600_000,
};

async function checkouts(gateway: SubscriptionGateway): Promise<void> {
  const discounts = [
    undefined,
    { code: 'LAUNCH-20', off: { percent: 20 }, duration: 'forever' },
    { code: 'ten', off: { cents: 1000 }, duration: 'once' },
  ] as const;
  for (const discount of discounts) {
    const made = await gateway.createCheckout({ ...checkout, ...(discount && { discount }) });
    ok('checkoutId' in made, JSON.stringify(made));
    deepStrictEqual([made.cents, made.currency, new URL(made.url).protocol], [2990, 'BRL', 'https:']);
  }
  await gateway.expireCheckout('cs_test_1');
}

async function reports(gateway: SubscriptionGateway): Promise<void> {
  for (const subject of ['cs_test_1', 'sub_1', 'in_1', 'pi_1', 'ch_1', 'dp_1']) {
    const report = await gateway.read(subject);
    deepStrictEqual([report?.orderId, report?.checkout], [orderId, 'completed'], subject);
    const [invoice] = report?.subscription?.invoices ?? [];
    deepStrictEqual([report?.subscription?.subscriptionId, invoice?.invoiceId], ['sub_1', 'in_1'], subject);
  }
  const changed = await Array.fromAsync(gateway.changedSince(systemClock.now() - 3_600_000));
  ok(changed.length > 0 && changed.every((one) => 'orderId' in one && one.orderId === orderId));
}

async function cancellations(gateway: SubscriptionGateway): Promise<void> {
  await gateway.cancel('sub_1', 'period-end');
  await gateway.cancel('sub_1', 'now');
}

async function acceptance(_gateway: SubscriptionGateway, { url, exchanges }: RunningMock): Promise<void> {
  const rejected = exchanges.filter(({ status }) => status !== 200);
  deepStrictEqual(rejected, []);
  // The mock must also reject an invalid request: otherwise its acceptance would prove nothing.
  const nonsense = await fetch(`${url}/v1/invoices?nonsense=1`, { headers: { authorization: `Bearer ${key}` } });
  deepStrictEqual(nonsense.status, 400);
}

/** The tests run in this order: the last one judges the requests of the others. */
const tests = { checkouts, reports, cancellations, acceptance };

/** Whether each of the tests passed. */
async function runTests(mock: RunningMock): Promise<boolean> {
  const gateway = stripeGateway({
    url: mock.url,
    key: async () => key,
    webhookSecret: async () => 'whsec_unused',
    returnUrl: () => 'https://shop.example/plans',
    stageName: () => 'local',
    clock: systemClock,
  });
  let failed = 0;
  for (const [name, test] of Object.entries(tests)) {
    try {
      await test(gateway, mock);
    } catch (error) {
      failed += 1;
      process.stderr.write(`${name}: ${(error as Error).stack}\n`);
    }
  }
  const passed = Object.keys(tests).length - failed;
  writeTestCounts('stripe-mock', { passed, failed });
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  return failed === 0;
}

async function main(): Promise<void> {
  const mock = await startMock(referenceOf(orderId, 'local'));
  try {
    if (!(await runTests(mock))) process.exitCode = 1;
    const kinds = [...new Set(mock.exchanges.map(({ request }) => request))].toSorted();
    process.stdout.write(`${mock.exchanges.length} requests of ${kinds.length} kinds:\n`);
    for (const kind of kinds) process.stdout.write(`  ${kind}\n`);
  } finally {
    await mock.close();
  }
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${(error as Error).stack}\n`);
  process.exitCode = 1;
}
