/** Reconciling subscriptions: a failure does not delay the others, and checkouts without an order do not renew. */
import { expect, test } from 'vitest';
import { insertOrder } from '../../../../shared/domain/billing/orders/order-store.ts';
import { reconcileSubscriptions } from '../../../../shared/domain/billing/reconciliation/reconcile-subscriptions.ts';
import { readSearchState } from '../../../../shared/domain/billing/reconciliation/search-state.ts';
import { insertSubscription } from '../../../../shared/domain/billing/subscriptions/subscription-store.ts';
import { stores } from '../../../../shared/domain/stores.ts';
import type { SubscriptionGateway } from '../../../../shared/gateways/subscription-gateway.ts';
import { randomIds } from '../../../../shared/platform/ids.ts';
import { fakeSubscriptionGateway } from '../../../support/fake-subscription-gateway.ts';
import { recordedMetrics } from '../../../support/recorded-metrics.ts';
import { anAccount, tableInTests, testTime } from '../../../support/test-table.ts';
import { ownSubscriptions } from '../own-subscriptions.ts';
import { pendingState } from '../subscription-scene.ts';

const host = await tableInTests();

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
    /** Creates a checkout at the gateway, with or without a stored order. */
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

test('a checkout whose order is not stored is kept while its request may be repeated, and then expired', async () => {
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

test('a subscription whose order was never stored is canceled, and a payment for it opens a case', async () => {
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

test('an unreadable subscription delays neither other ones nor the search for changes, and is retried separately', async () => {
  const { checkout, clock, gateway, orders, reconcile, statusOf, wait } = scene();
  await reconcile();
  const [orderId, hidden] = [await checkout({ isStored: true }), await checkout({ isStored: true })];
  for (const one of [orderId, hidden]) gateway.complete(one);
  const subject = () => gateway.of(hidden)?.checkoutId ?? '';
  wait(1);
  const { failures } = await reconcile({
    async *changedSince(at, until) {
      yield { subject: subject(), error: new Error('no such state') };
      for await (const found of gateway.seen().changedSince(at, until)) if (found.subject !== subject()) yield found;
    },
  });
  expect(failures).toMatchObject([{ id: `checkout ${subject()}` }]);
  expect(await Promise.all([orderId, hidden].map(statusOf))).toEqual(['paid', 'pending']);
  expect(await orders.searchMark(gateway.seen().name)).toBe(clock.now());
  wait(0.1);
  const searchless = { async *changedSince() {} };
  expect((await reconcile(searchless)).failures).toEqual([]);
  expect(await statusOf(hidden)).toBe('paid');
});

test('a failed search for changes at the gateway does not delay the processing of due subscriptions', async () => {
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

test('a subscription that cannot be processed stays due and is reported with its age', async () => {
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

test('a reconciliation run whose time is up leaves the rest to the next run', async () => {
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

test('reconciliation works off a backlog run by run, even if the gateway is slow and lists the newest first', async () => {
  const { checkout, gateway, reconcile, statusOf, wait } = scene();
  await reconcile();
  const orderIds: string[] = [];
  for (let index = 0; index < 8; index += 1) {
    orderIds.push(await checkout({ isStored: true }));
    gateway.complete(orderIds.at(-1) ?? '');
    wait(1);
  }
  const slow: Partial<SubscriptionGateway> = {
    async *changedSince(at, until, isOver) {
      const found = (await Array.fromAsync(gateway.seen().changedSince(at, until))).toReversed();
      for (const one of found) {
        if (isOver?.()) return;
        wait(0.03);
        yield one;
      }
    },
  };
  const first = await reconcile(slow);
  expect(first.failures).toMatchObject([{ id: 'search' }]);
  expect(first.oldestDueAt).toBeGreaterThan(0);
  for (let runs = 0; runs < 30; runs += 1) await reconcile(slow);
  expect(await Promise.all(orderIds.map(statusOf))).toEqual(orderIds.map(() => 'paid'));
});

test('the time from which reconciliation searches for changes advances past a checkout whose order is not stored', async () => {
  const { checkout, clock, gateway, orders, reconcile, wait } = scene();
  await reconcile();
  await checkout({ isStored: false });
  wait(1);
  await reconcile();
  expect(await orders.searchMark(gateway.seen().name)).toBe(clock.now());
});

test('of the checkouts whose order is not stored, only those that can still be paid are looked at again', async () => {
  const { checkout, gateway, reconcile, table, wait } = scene();
  await reconcile();
  const [open, withdrawn] = [await checkout({ isStored: false }), await checkout({ isStored: false })];
  gateway.expire(withdrawn);
  wait(1);
  await reconcile();
  const { postponed } = await readSearchState({ table }, gateway.seen().name);
  expect(postponed.map(({ subject }) => subject)).toEqual([gateway.of(open)?.checkoutId]);
});

test('a failing subscription moves to the end of the queue, and its reported delay still counts from when it was first due', async () => {
  const { checkout, clock, reconcile, subscriptions, wait } = scene();
  const orderId = await checkout({ isStored: true });
  wait(30);
  const broken: Partial<SubscriptionGateway> = {
    async *changedSince() {},
    read: async () => {
      throw new Error('no such state');
    },
  };
  const due = async (at: number) =>
    (await Array.fromAsync(subscriptions.due(at))).map(({ subscriptionId }) => subscriptionId);
  for (let runs = 0; runs < 2; runs += 1) {
    wait(1);
    expect((await reconcile(broken)).oldestDueAt).toBe(testTime + 24 * hourMs);
    expect([await due(clock.now() - 1), await due(clock.now())]).toEqual([[], [orderId]]);
  }
});

test('plan features end on time while the gateway cannot be read, but open checkouts are not assumed to have expired', async () => {
  const { accounts, checkout, gateway, orders, reconcile, statusOf, wait } = scene();
  const [orderId, open] = [await checkout({ isStored: true }), await checkout({ isStored: true })];
  gateway.complete(orderId);
  await reconcile();
  const { accountId = '' } = (await orders.find(orderId)) ?? {};
  expect((await accounts.find(accountId))?.planSource).toBe(orderId);
  wait(24 * 40);
  const { failures } = await reconcile({
    async *changedSince() {},
    read: async () => {
      throw new Error('no connection');
    },
  });
  expect(failures).toHaveLength(2);
  expect((await accounts.find(accountId))?.planSource).toBeUndefined();
  expect(await statusOf(open)).toBe('pending');
});

test('a completed but unpaid checkout is closed a few days after the gateway has stopped returning it', async () => {
  const { checkout, gateway, reconcile, statusOf, wait } = scene();
  const orderId = await checkout({ isStored: true });
  wait(10);
  gateway.complete(orderId, { isWaiting: true });
  wait(15);
  await reconcile();
  const forgotten: Partial<SubscriptionGateway> = { async *changedSince() {}, read: async () => undefined };
  wait(24 * 2);
  await reconcile(forgotten);
  expect(await statusOf(orderId)).toBe('pending');
  wait(24 * 7);
  await reconcile(forgotten);
  expect(await statusOf(orderId)).toBe('expired');
  expect((await reconcile(forgotten)).oldestDueAt).toBeUndefined();
});
