/** The reconciliation of subscriptions: nothing that fails keeps the rest waiting, and nobody pays for what does not exist. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertOrder } from '../../../shared/domain/billing/order-store.ts';
import { reconcileSubscriptions } from '../../../shared/domain/billing/reconcile-subscriptions.ts';
import { insertSubscription } from '../../../shared/domain/billing/subscription-store.ts';
import { stores } from '../../../shared/domain/stores.ts';
import type { SubscriptionGateway } from '../../../shared/gateways/subscription-gateway.ts';
import { randomIds } from '../../../shared/platform/ids.ts';
import { fakeSubscriptionGateway } from '../../support/fake-subscription-gateway.ts';
import { recordedMetrics } from '../../support/recorded-metrics.ts';
import { anAccount, type TestTable, testTable, testTime } from '../../support/test-table.ts';
import { ownSubscriptions } from './own-subscriptions.ts';
import { pendingState } from './subscription-scene.ts';

let host: TestTable;

beforeAll(async () => {
  host = await testTable();
});
afterAll(() => host.close());

const hourMs = 3_600_000;
const monthly = { planId: 'pro', planName: 'Pro', billingCycle: 'monthly', email: 'ana@example.com' } as const;

function scene() {
  let now = testTime;
  const clock = { now: () => now };
  const ids = randomIds(clock);
  const gateway = fakeSubscriptionGateway(clock);
  const logger = { info: () => undefined, warn: () => undefined };
  const accountIds: string[] = [];
  const needs = {
    ...stores(ownSubscriptions(host.table, accountIds), clock),
    clock,
    ids,
    logger,
    metrics: recordedMetrics(),
  };
  return {
    ...needs,
    gateway,
    wait: (hours: number) => {
      now += hours * hourMs;
    },
    /** A checkout at the gateway, whether its order is stored or not. */
    checkout: async (given: { readonly isStored: boolean }): Promise<string> => {
      const orderId = ids.next();
      const made = await gateway
        .seen()
        .createCheckout({ ...monthly, orderId, cents: 10_000, expiresAt: now + 24 * hourMs });
      if (!('checkoutId' in made)) throw new Error(`no checkout: ${JSON.stringify(made)}`);
      if (given.isStored) {
        const { account, order, subscription } = pendingState({
          order: { orderId, checkoutId: made.checkoutId, gateway: gateway.seen().name },
          subscription: { subscriptionId: orderId, checkoutId: made.checkoutId, gateway: gateway.seen().name },
        });
        accountIds.push(account.accountId);
        await needs.accounts.insert(anAccount({ ...account, balance: 0 }), undefined);
        await host.table.transact([insertOrder(order), insertSubscription(subscription)]);
      }
      return orderId;
    },
    reconcile: (seen: Partial<SubscriptionGateway> = {}) =>
      reconcileSubscriptions({ ...needs, subscriptionGateway: { ...gateway.seen(), ...seen } }),
    casesOf: async (orderId: string) =>
      (await needs.cases.list({ onlyOpen: true })).filter((one) => one.orderId === orderId).map(({ kind }) => kind),
    statusOf: async (orderId: string) => (await needs.orders.find(orderId))?.status,
  };
}

test('a checkout whose order is not stored is left alone while its request may be repeated, and then expired', async () => {
  const { checkout, gateway, reconcile, wait } = scene();
  const orderId = await checkout({ isStored: false });
  await reconcile();
  wait(11);
  await reconcile();
  expect(gateway.of(orderId)?.status).toBe('open');
  wait(2);
  await reconcile();
  expect(gateway.of(orderId)?.status).toBe('expired');
});

test('a subscription whose order was never stored is canceled, and what was paid is a case', async () => {
  const { casesOf, checkout, gateway, reconcile, wait } = scene();
  const orderId = await checkout({ isStored: false });
  await reconcile();
  gateway.complete(orderId);
  wait(13);
  await reconcile();
  await reconcile();
  expect(gateway.of(orderId)?.subscription?.status).toBe('canceled');
  expect(await casesOf(orderId)).toEqual(['payment-without-order']);
});

test('a report that cannot be understood keeps no other waiting, and is searched for again', async () => {
  const { checkout, gateway, orders, reconcile, statusOf, wait } = scene();
  await reconcile();
  const mark = await orders.searchMark(gateway.seen().name);
  const orderId = await checkout({ isStored: true });
  gateway.complete(orderId);
  wait(1);
  const { failures } = await reconcile({
    async *changedSince(at) {
      yield { subject: 'unreadable', error: new Error('no such state') };
      yield* gateway.seen().changedSince(at);
    },
  });
  expect(failures).toMatchObject([{ id: 'checkout unreadable' }]);
  expect(await statusOf(orderId)).toBe('paid');
  expect(await orders.searchMark(gateway.seen().name)).toBe(mark);
});

test('a search that fails does not keep from waiting what is due', async () => {
  const { checkout, gateway, reconcile, statusOf, wait } = scene();
  const orderId = await checkout({ isStored: true });
  gateway.complete(orderId);
  wait(25);
  const { failures } = await reconcile({
    changedSince: () => {
      throw new Error('no connection');
    },
  });
  expect(failures).toMatchObject([{ id: 'search' }]);
  expect(await statusOf(orderId)).toBe('paid');
});

test('what cannot be attended to stays due, and is reported with its age', async () => {
  const { checkout, clock, reconcile, wait } = scene();
  await checkout({ isStored: true });
  wait(30);
  const overdueSince = await reconcile({
    async *changedSince() {},
    read: async () => {
      throw new Error('no connection');
    },
  });
  expect(overdueSince.failures).toHaveLength(1);
  expect(clock.now() - (overdueSince.oldestDueAt ?? 0)).toBeGreaterThan(0);
  const { failures, oldestDueAt } = await reconcile();
  expect([failures, oldestDueAt]).toEqual([[], undefined]);
});

test('a run that takes too long leaves the rest to the next one', async () => {
  const { checkout, gateway, reconcile, statusOf, wait } = scene();
  const orderIds = [await checkout({ isStored: true }), await checkout({ isStored: true })];
  for (const orderId of orderIds) gateway.complete(orderId);
  const slow: Partial<SubscriptionGateway> = {
    async *changedSince(at) {
      for await (const found of gateway.seen().changedSince(at)) {
        yield found;
        wait(0.1);
      }
    },
  };
  await reconcile(slow);
  expect(await Promise.all(orderIds.map(statusOf))).toEqual(expect.arrayContaining(['paid', 'pending']));
  await reconcile();
  expect(await Promise.all(orderIds.map(statusOf))).toEqual(['paid', 'paid']);
});
