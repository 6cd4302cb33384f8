/** Events of payments whose order is not stored yet are retried, unless they require no action. */
import { expect, test } from 'vitest';
import {
  genuineEvent,
  handlePixEvent,
  handleSubscriptionEvent,
} from '../../../shared/domain/billing/handle-payment-event.ts';
import { stores } from '../../../shared/domain/stores.ts';
import { fakePixGateway } from '../../support/fake-pix-gateway.ts';
import { fakeSubscriptionGateway } from '../../support/fake-subscription-gateway.ts';
import { giveOrder } from '../../support/given-order.ts';
import { recordedMetrics } from '../../support/recorded-metrics.ts';
import { RecordingLogger } from '../../support/recording-logger.ts';
import { anAccount, tableInTests, testIds, testTime } from '../../support/test-table.ts';

const host = await tableInTests();

const clock = { now: () => testTime };

const needs = () => ({
  ...stores(host.table, clock),
  clock,
  ids: testIds,
  logger: { info: () => undefined, warn: () => undefined },
  metrics: recordedMetrics(),
});

test('a PIX event whose order is not stored yet is processed again later if the payment is paid, and dropped if pending', async () => {
  const gateway = fakePixGateway(clock);
  const pixGateway = gateway.seen();
  const account = anAccount({ balance: 0 });
  await needs().accounts.insert(account, undefined);
  const orderId = testIds.next();
  const payer = { name: 'Ana', email: 'ana@example.com' };
  await pixGateway.createCharge({ orderId, cents: 5990, description: '500', payer, expiresAt: testTime + 1000 });
  const [{ paymentId } = { paymentId: '' }] = gateway.paymentsOf(orderId);
  const handle = (subject = paymentId) =>
    handlePixEvent({ ...needs(), pixGateway }, { eventId: testIds.next(), subject });
  expect(await handle()).toBe('done');
  gateway.pay(orderId);
  expect(await handle()).toBe('too-early');
  await giveOrder({ clock, ids: testIds, table: host.table }, account.accountId, { orderId, chargeId: paymentId });
  expect(await handle()).toBe('done');
  expect(await needs().orders.findPack(orderId)).toMatchObject({ status: 'paid' });
  expect(await handle('of an unknown payment')).toBe('unknown');
});

test('a PIX event about a charge that was withdrawn, because its account had too many orders, is dropped', async () => {
  const gateway = fakePixGateway(clock);
  const pixGateway = gateway.seen();
  const orderId = testIds.next();
  const payer = { name: 'Ana', email: 'ana@example.com' };
  await pixGateway.createCharge({ orderId, cents: 5990, description: '500', payer, expiresAt: testTime + 1000 });
  const [{ paymentId: subject } = { paymentId: '' }] = gateway.paymentsOf(orderId);
  await pixGateway.cancel(subject);
  expect(await handlePixEvent({ ...needs(), pixGateway }, { eventId: testIds.next(), subject })).toBe('done');
});

test('a checkout event whose order is not stored yet is processed again later if the checkout is completed, else dropped', async () => {
  const gateway = fakeSubscriptionGateway(clock);
  const subscriptionGateway = gateway.seen();
  const orderId = testIds.next();
  const plan = { planId: 'pro', planName: 'Pro', billingCycle: 'monthly', email: 'ana@example.com' } as const;
  await subscriptionGateway.createCheckout({ ...plan, orderId, cents: 10_000, expiresAt: testTime + 86_400_000 });
  const { checkoutId = '' } = gateway.of(orderId) ?? {};
  const handle = (subject = checkoutId) => handleSubscriptionEvent({ ...needs(), subscriptionGateway }, { subject });
  expect(await handle()).toBe('done');
  gateway.complete(orderId);
  expect(await handle()).toBe('too-early');
  expect(gateway.of(orderId)?.subscription?.status).toBe('active');
  expect(await handle('of an unknown payment')).toBe('unknown');
});

test('the event of a completed checkout without an order id is dropped', async () => {
  const gateway = fakeSubscriptionGateway(clock);
  const orderId = testIds.next();
  const plan = { planId: 'pro', planName: 'Pro', billingCycle: 'monthly', email: 'ana@example.com' } as const;
  await gateway.seen().createCheckout({ ...plan, orderId, cents: 10_000, expiresAt: testTime + 86_400_000 });
  gateway.complete(orderId);
  const { checkoutId = '' } = gateway.of(orderId) ?? {};
  const read = async (subject: string) => {
    const report = await gateway.seen().read(subject);
    return report && { ...report, orderId: undefined };
  };
  const subscriptionGateway = { ...gateway.seen(), read };
  expect(await handleSubscriptionEvent({ ...needs(), subscriptionGateway }, { subject: checkoutId })).toBe('done');
});

const notification = { headers: {}, query: {}, body: '{}' };

test('a forged payment notification is rejected and counted, and without a gateway every notification is rejected', async () => {
  const given = needs();
  const { metrics } = given;
  const forged = genuineEvent({ name: 'stripe', readEvent: async () => undefined }, notification, given);
  await expect(forged).rejects.toMatchObject({ kind: 'unauthenticated' });
  expect(metrics.recorded).toEqual([[{ PaymentEventsRejected: 1 }]]);
  const none = genuineEvent({ name: 'none', readEvent: async () => ({}) }, notification, given);
  await expect(none).rejects.toMatchObject({ kind: 'not-found' });
  const event = { eventId: 'event' };
  expect(await genuineEvent({ name: 'stripe', readEvent: async () => event }, notification, given)).toBe(event);
});

test('a genuine payment event in an unknown format is acknowledged, counted and logged, and changes nothing', async () => {
  const given = { ...needs(), logger: new RecordingLogger() };
  const unreadable = { name: 'stripe', readEvent: async () => 'unreadable' as const };
  expect(await genuineEvent(unreadable, notification, given)).toBe('irrelevant');
  expect(given.metrics.recorded).toEqual([[{ PaymentEventsUnreadable: 1 }]]);
  const warning = { message: 'payment event ignored', gateway: 'stripe', outcome: 'unreadable' };
  expect(given.logger.warnings).toEqual([warning]);
});
