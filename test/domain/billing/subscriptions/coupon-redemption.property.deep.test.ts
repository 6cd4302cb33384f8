/**
 * An account can use a coupon once, and the catalog's total limit holds, however many orders are created concurrently.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CouponEntry } from '../../../../shared/catalog/coupons.ts';
import type { OrderStatus } from '../../../../shared/contracts/order-statuses.ts';
import { handleReport } from '../../../../shared/domain/billing/reconciliation/reconcile-subscriptions.ts';
import {
  redeem,
  redeemedBy,
  settleRedemption,
} from '../../../../shared/domain/billing/subscriptions/coupon-redemption.ts';
import { createSubscription } from '../../../../shared/domain/billing/subscriptions/create-subscription.ts';
import { couponKey } from '../../../../shared/domain/keys.ts';
import { Rejection } from '../../../../shared/domain/rejection.ts';
import { stores } from '../../../../shared/domain/stores.ts';
import { randomIds } from '../../../../shared/platform/ids.ts';
import { TableBusy } from '../../../../shared/platform/table-busy.ts';
import { fakePixGateway } from '../../../support/fake-pix-gateway.ts';
import { fakeSubscriptionGateway } from '../../../support/fake-subscription-gateway.ts';
import { modelRuns } from '../../../support/model-runs.ts';
import { recordedMetrics } from '../../../support/recorded-metrics.ts';
import { anAccount, tableInTests, testTime } from '../../../support/test-table.ts';

const host = await tableInTests();

/** Some accounts, and a limited coupon of 100 %. */
async function campaign(accounts: number, maxRedemptions: number | undefined) {
  const clock = { now: () => testTime };
  const code = `CAMPAIGN-${crypto.randomUUID().slice(0, 8)}`;
  const truth = fakeSubscriptionGateway(clock);
  const needs = {
    ...stores(host.table, clock),
    clock,
    ids: randomIds(clock),
    logger: { info: () => undefined, warn: () => undefined },
    metrics: recordedMetrics(),
    pause: async () => undefined,
    pixGateway: fakePixGateway(clock).seen(),
    subscriptionGateway: truth.seen(),
  };
  await needs.catalog.change('coupons', { coupons: [{ code, percentOff: 100, duration: 'once', maxRedemptions }] });
  const customers = Array.from({ length: accounts }, () => anAccount({ balance: 0 }));
  for (const account of customers) await needs.accounts.insert(account, undefined);

  /** The order, or undefined if it is rejected; retried while writes conflict. */
  const subscribe = async (customer: number): Promise<string | undefined> => {
    const accountId = customers[customer]?.accountId ?? '';
    const body = { planId: 'pro', billingCycle: 'monthly', couponCode: code } as const;
    try {
      const made = await createSubscription(needs, { accountId, body, idempotency: undefined });
      return 'orderId' in made ? made.orderId : undefined;
    } catch (error) {
      if (error instanceof TableBusy) return subscribe(customer);
      if (error instanceof Rejection) return undefined;
      throw error;
    }
  };
  const checkoutOf = async (orderId: string) => {
    const order = await needs.orders.find(orderId);
    return order?.type === 'subscription' ? order.checkoutId : '';
  };
  const notify = async (orderId: string) => {
    const report = await needs.subscriptionGateway.read(await checkoutOf(orderId));
    if (report) await handleReport(needs, report);
  };
  return {
    subscribe,
    openCheckouts: () => truth.checkouts().filter(({ status }) => status === 'open').length,
    used: async () => Number((await host.table.get(couponKey(code)))?.used ?? 0),
    balance: async (customer: number) => (await needs.accounts.find(customers[customer]?.accountId ?? ''))?.balance,
    abandon: async (orderId: string) => {
      truth.expire(await checkoutOf(orderId));
      await notify(orderId);
    },
    pay: async (orderId: string) => {
      truth.complete(await checkoutOf(orderId), {});
      await notify(orderId);
    },
    cancel: async (orderId: string) => {
      truth.cancel(await checkoutOf(orderId), 'now');
      await notify(orderId);
    },
  };
}

const histories = fc.record({
  limit: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
  rounds: fc.array(
    fc.record({
      requests: fc.array(fc.nat(4), { minLength: 1, maxLength: 12 }),
      outcomes: fc.array(fc.constantFrom('paid', 'abandoned', 'left open', 'paid and canceled'), {
        minLength: 5,
        maxLength: 5,
      }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});

test('concurrent orders use a coupon within its limits, and rejected ones leave no checkout with its discount', async () => {
  await fc.assert(
    fc.asyncProperty(histories, async ({ limit, rounds }) => {
      const world = await campaign(5, limit);
      /** The accounts whose use of the coupon counts: those that have paid, and those with an open checkout. */
      const holders = new Set<number>();
      let leftOpen = 0;
      for (const { requests, outcomes } of rounds) {
        const wanting = new Set(requests.filter((customer) => !holders.has(customer)));
        const room = Math.min(wanting.size, (limit ?? Number.POSITIVE_INFINITY) - holders.size);
        const made = await Promise.all(
          requests.map(async (customer) => ({ customer, orderId: await world.subscribe(customer) })),
        );
        const orders = made.flatMap(({ customer, orderId }) => (orderId === undefined ? [] : [{ customer, orderId }]));
        expect(orders.length).toBe(room);
        expect(new Set(orders.map(({ customer }) => customer)).size).toBe(orders.length);
        for (const { customer, orderId } of orders) {
          const outcome = outcomes[customer];
          if (outcome === 'left open') leftOpen += 1;
          if (outcome === 'abandoned') await world.abandon(orderId);
          else holders.add(customer);
          if (outcome === 'paid' || outcome === 'paid and canceled') await world.pay(orderId);
          if (outcome === 'paid and canceled') await world.cancel(orderId);
        }
        expect(await world.used()).toBe(holders.size);
        expect(world.openCheckouts()).toBe(leftOpen);
      }
    }),
    modelRuns(8),
  );
});

/** Settles the use of the coupon when the order gets a status, as the order's own transaction does. */
async function settle(order: Parameters<typeof settleRedemption>[0], status: OrderStatus): Promise<void> {
  const actions = settleRedemption(order, status, await redeemedBy(host.table, order));
  if (actions.length > 0) await host.table.transact(actions);
}

test('an order paid after its expiry gets its use of the coupon back, even from an unpaid order of the same account', async () => {
  const couponCode = `LATE-${crypto.randomUUID().slice(0, 8)}`;
  const coupon: CouponEntry = { code: couponCode, percentOff: 10, duration: 'once', maxRedemptions: 1 };
  const used = async () => (await host.table.get(couponKey(couponCode)))?.used;
  const [first, second] = ['1', '2'].map((orderId) => ({ accountId: couponCode, orderId, couponCode }));
  if (!first || !second) throw new Error('there are two');
  await host.table.transact(redeem(coupon, first).map(({ action }) => action));
  await settle(first, 'expired');
  expect([await redeemedBy(host.table, first), await used()]).toEqual([undefined, 0]);
  await host.table.transact(redeem(coupon, second).map(({ action }) => action));
  await settle(first, 'paid');
  await settle(second, 'canceled');
  expect([await redeemedBy(host.table, first), await used()]).toEqual(['1', 1]);
  await expect(host.table.transact(redeem(coupon, second).map(({ action }) => action))).rejects.toThrow();
  const other = { ...second, accountId: `${couponCode}-other` };
  await settle(other, 'paid');
  expect([await redeemedBy(host.table, other), await used()]).toEqual(['2', 2]);
});

test('a free month grants its credits once, even if an account subscribes and cancels repeatedly', async () => {
  const world = await campaign(1, undefined);
  for (let time = 1; time <= 3; time += 1) {
    const orderId = await world.subscribe(0);
    expect(orderId !== undefined).toBe(time === 1);
    if (orderId === undefined) continue;
    await world.pay(orderId);
    await world.cancel(orderId);
  }
  expect(await world.balance(0)).toBe(2000);
});
