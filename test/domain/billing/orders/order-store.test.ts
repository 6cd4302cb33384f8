/** How orders are stored, listed and shown: packs, subscriptions, and rows from before subscriptions existed. */
import { expect, test } from 'vitest';
import type { PackOrder, SubscriptionOrder } from '../../../../shared/domain/billing/orders/order.ts';
import { insertOrder } from '../../../../shared/domain/billing/orders/order-store.ts';
import { presentOrder } from '../../../../shared/domain/billing/orders/present-order.ts';
import { orderKey } from '../../../../shared/domain/keys.ts';
import { stores } from '../../../../shared/domain/stores.ts';
import { tableInTests, testIds, testTime } from '../../../support/test-table.ts';

const host = await tableInTests();

const ofAll = () => ({
  orderId: testIds.next(),
  accountId: testIds.next(),
  status: 'pending' as const,
  cents: 5990,
  credits: 500,
  gateway: 'fake',
  payableUntil: testTime,
  createdAt: testTime,
});

const pack = (): PackOrder => ({
  ...ofAll(),
  type: 'pix_credit_pack',
  packId: 'pack-500',
  packName: '500 credits',
  chargeId: 'charge',
  qrCode: 'pix',
  qrCodeBase64: 'data:image/png;base64,AAAA',
});

const subscription = (given: Partial<SubscriptionOrder> = {}): SubscriptionOrder => ({
  ...ofAll(),
  type: 'subscription',
  planId: 'pro',
  planName: 'Pro',
  billingCycle: 'annual',
  checkoutId: 'checkout',
  checkoutUrl: 'https://pay.example/checkout',
  ...given,
});

const storesOf = () => stores(host.table, { now: () => testTime });

test('a stored order without a type is read as an order for a credit pack', async () => {
  const { orders } = storesOf();
  const { orderId, type: _none, ...row } = pack();
  await host.table.put({ Item: { ...orderKey(orderId), ...row } });
  expect(await orders.findPack(orderId)).toEqual({ orderId, type: 'pix_credit_pack', ...row });
});

test('the order of a subscription is listed among the account’s orders, but is not found as a pack order', async () => {
  const { orders } = storesOf();
  const bought = pack();
  const subscribed = subscription({ accountId: bought.accountId, cents: 0, couponCode: 'FREE' });
  for (const order of [bought, subscribed]) await host.table.transact([insertOrder(order)]);
  expect(await orders.list(bought.accountId, {}, { limit: 20, offset: 0 })).toEqual([subscribed, bought]);
  expect(await orders.findPack(subscribed.orderId)).toBeUndefined();
});

test('only orders for credit packs are listed as awaiting a PIX payment', async () => {
  const { orders } = storesOf();
  const [bought, subscribed] = [pack(), subscription()];
  for (const order of [bought, subscribed]) await host.table.transact([insertOrder(order)]);
  const pending = await Array.fromAsync(orders.pending());
  expect([bought, subscribed].map(({ orderId }) => pending.includes(orderId))).toEqual([true, false]);
});

test('the order of a subscription shows its plan but no detail of its checkout', () => {
  const order = subscription({ status: 'paid', paidBy: 'in_1', paidAt: testTime, couponCode: 'TEN' });
  expect(presentOrder(order)).toEqual({
    id: order.orderId,
    type: 'subscription',
    paymentMethod: 'fake',
    status: 'paid',
    amount: 59.9,
    currency: 'BRL',
    credits: 500,
    planId: 'pro',
    planName: 'Pro',
    billingInterval: 'annual',
    packName: 'Pro',
    createdAt: new Date(testTime).toISOString(),
    paidAt: new Date(testTime).toISOString(),
    canceledAt: null,
    pix: null,
  });
});
