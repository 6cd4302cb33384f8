/** Subscription orders have the right price, and nothing is created twice, whichever step crashes. */

import { describe, expect, test } from 'vitest';
import { moveOrder } from '../../../../shared/domain/billing/orders/order-store.ts';
import { presentOrder } from '../../../../shared/domain/billing/orders/present-order.ts';
import { presentCurrentSubscription } from '../../../../shared/domain/billing/subscriptions/current-subscription.ts';
import { plansRow } from '../../../../shared/domain/catalog/plans-row.ts';
import { Rejection } from '../../../../shared/domain/rejection.ts';
import { stores } from '../../../../shared/domain/stores.ts';
import { noSubscriptionGateway } from '../../../../shared/gateways/no-subscription-gateway.ts';
import type { Checkout, SubscriptionGateway } from '../../../../shared/gateways/subscription-gateway.ts';
import { catalogWith } from '../../../support/catalog-with.ts';
import { giveOrder } from '../../../support/given-order.ts';
import { tableInTests, testTime } from '../../../support/test-table.ts';
import { Crash, subscriptionShop } from '../subscription-shop.ts';

const expiresAt = new Date(testTime + 60_000).toISOString();
const coupons = [
  { code: 'Ten', percentOff: 10, duration: 'once' },
  { code: 'Always', amountOffCents: 990, duration: 'forever' },
  { code: 'Free', percentOff: 100, duration: 'once' },
  { code: 'Brief', percentOff: 15, duration: 'once', expiresAt },
  { code: 'Annual', percentOff: 10, duration: 'once', billingCycles: ['annual'] },
];

const host = await tableInTests();
await stores(host.table, { now: () => testTime }).catalog.change('coupons', { coupons });

const shop = () => subscriptionShop(host.table);

const rejected = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => (error instanceof Rejection ? error.kind : error),
  );

describe('an order for a subscription', () => {
  test('is pending and returns the address at which it can be paid', async () => {
    const { accountId, orders, stores: plain, subscribe } = await shop();
    const made = await subscribe();
    expect(made).toEqual({
      orderId: expect.any(String),
      paymentMethod: 'stripe',
      status: 'pending',
      planId: 'pro',
      billingCycle: 'monthly',
      checkoutUrl: 'https://pay.example/1',
    });
    expect((await orders()).map(presentOrder)).toMatchObject([
      { id: made.orderId, status: 'pending', amount: 149.9, credits: 2000, billingInterval: 'monthly', pix: null },
    ]);
    expect(await presentCurrentSubscription(plain, accountId)).toMatchObject({
      id: made.orderId,
      planName: 'Pro',
      status: 'pending',
      currentPeriodStart: null,
      currentPeriodEnd: null,
      creditsPerMonth: 2000,
    });
  });

  test('can be paid for twelve hours and is checked after that', async () => {
    const { accountId, checkouts, stores: plain, subscribe } = await shop();
    const { orderId } = await subscribe();
    const subscription = await plain.subscriptions.find(accountId, orderId);
    const { createdAt = 0, payableUntil, checkAt } = subscription ?? {};
    expect(payableUntil).toBe(createdAt + 12 * 3_600_000);
    expect(checkouts.get(orderId)?.expiresAt).toBe(payableUntil);
    expect(checkAt).toBe(createdAt + 12 * 3_600_000 + 2 * 60_000);
  });

  test('for a year costs the annual price', async () => {
    const { checkouts, subscribe } = await shop();
    const { orderId } = await subscribe({ planId: 'starter', billingCycle: 'annual' });
    expect(checkouts.get(orderId)).toMatchObject({ cents: 49_900, planName: 'Starter', email: 'ana@example.com' });
  });

  test.for([
    ['TEN', 13_491, undefined],
    ['always', 14_000, 14_000],
    ['FREE', 0, undefined],
    ['BRIEF', 12_741, undefined],
  ] as const)('gets the discount of its coupon %s', async ([couponCode, cents, discountedCents]) => {
    const { accountId, orders, stores: plain, subscribe } = await shop();
    const { orderId } = await subscribe({ planId: 'pro', billingCycle: 'monthly', couponCode });
    const [order] = await orders();
    expect(order).toMatchObject({ cents, couponCode: expect.stringMatching(new RegExp(couponCode, 'i')) });
    const subscription = await plain.subscriptions.find(accountId, orderId);
    expect([subscription?.cents, subscription?.discountedCents]).toEqual([14_990, discountedCents]);
  });

  test.for(['NONE', 'ANNUAL'])('is rejected with a coupon that does not apply: %s', async (couponCode) => {
    const { checkouts, subscribe } = await shop();
    expect(await rejected(subscribe({ planId: 'pro', billingCycle: 'monthly', couponCode }))).toBe('invalid');
    expect(checkouts.size).toBe(0);
  });

  test('is rejected with a coupon that has expired', async () => {
    const { subscribe, wait } = await shop();
    wait(60_000);
    const body = { planId: 'pro', billingCycle: 'monthly', couponCode: 'BRIEF' } as const;
    expect(await rejected(subscribe(body))).toBe('invalid');
  });

  test('for an unknown plan is rejected', async () => {
    const { checkouts, subscribe } = await shop();
    expect(await rejected(subscribe({ planId: 'gold', billingCycle: 'monthly' }))).toBe('not-found');
    expect(checkouts.size).toBe(0);
  });

  test('is rejected while a subscription is active', async () => {
    const { activate, checkouts, orders, subscribe } = await shop();
    await activate();
    expect(await rejected(subscribe())).toBe('subscription-active');
    expect([checkouts.size, await orders()]).toEqual([0, []]);
  });

  test('is not stored, and not payable, if a subscription becomes active while its checkout is being created', async () => {
    const { accountId, activate, gateway, needsIn, open, orders, stores: plain, subscribe } = await shop();
    const createCheckout: SubscriptionGateway['createCheckout'] = async (request) => {
      const made = await gateway.createCheckout(request);
      await activate();
      return made;
    };
    for (const key of [undefined, 'key'])
      expect(await rejected(subscribe(undefined, key, needsIn(undefined, createCheckout)))).toBe('subscription-active');
    const stored = await Array.fromAsync(plain.subscriptions.newestFirst(accountId));
    expect([await orders(), stored, open()]).toEqual([[], [], []]);
  });
});

const down: SubscriptionGateway['createCheckout'] = async () => {
  throw new TypeError('no connection');
};

const refusing: SubscriptionGateway['createCheckout'] = (request) => noSubscriptionGateway.createCheckout(request);

describe('the subscription gateway', () => {
  test('that refuses or is down leaves no order behind, and the request can be repeated', async () => {
    const { checkouts, needsIn, orders, subscribe } = await shop();
    const createCheckouts = [down, refusing];
    for (const createCheckout of createCheckouts) {
      const needs = needsIn(undefined, createCheckout);
      expect(await rejected(subscribe(undefined, 'key', needs))).toBe('dependency-unavailable');
      expect(await rejected(subscribe(undefined, undefined, needs))).toBe('dependency-unavailable');
    }
    expect(await orders()).toEqual([]);
    const { orderId } = await subscribe(undefined, 'key');
    expect([[...checkouts.keys()], (await orders()).length]).toEqual([[orderId], 1]);
  });

  test.for<[string, Partial<Checkout>, string | undefined]>([
    ['at another price leads to no order', { cents: 14_989 }, 'dependency-unavailable'],
    ['in another currency leads to no order', { currency: 'USD' }, 'dependency-unavailable'],
    ['for another order leads to no order', { orderId: 'other' }, 'dependency-unavailable'],
    ['as requested leads to an order', {}, undefined],
  ])('that returns a checkout %s', async ([, given, kind]) => {
    const { gateway, needsIn, open, orders, subscribe } = await shop();
    const createCheckout: SubscriptionGateway['createCheckout'] = async (request) => ({
      ...((await gateway.createCheckout(request)) as Checkout),
      ...given,
    });
    expect(await rejected(subscribe(undefined, undefined, needsIn(undefined, createCheckout)))).toBe(kind);
    expect((await orders()).length).toBe(kind ? 0 : 1);
    // A checkout of another order is not closed, because someone may be paying it.
    expect(open().length).toBe(kind && given.orderId === undefined ? 0 : 1);
  });

  test('may round half a cent of a percentage discount up or down, but may not deviate further', async () => {
    // Each order needs another account, because an account can use a coupon only once.
    const subscribe = async (body: { couponCode: string }, cents: number) => {
      const { gateway, needsIn, subscribe: order } = await shop();
      const rounding = needsIn(undefined, async (request) => ({
        ...((await gateway.createCheckout(request)) as Checkout),
        cents,
      }));
      return order({ planId: 'pro', billingCycle: 'monthly', ...body }, undefined, rounding);
    };
    for (const [cents, kind] of [
      [12_739, 'dependency-unavailable'],
      [12_740, undefined],
      [12_742, undefined],
      [12_743, 'dependency-unavailable'],
    ] as const)
      expect(await rejected(subscribe({ couponCode: 'BRIEF' }, cents))).toBe(kind);
    expect(await rejected(subscribe({ couponCode: 'ALWAYS' }, 14_001))).toBe('dependency-unavailable');
  });
});

describe('a crash while a subscription order is created', () => {
  /** The process crashes before and after each of its steps: claim, call and commit. */
  const deaths = [
    'before the claim of its key',
    'after the claim of its key',
    'before the call of the gateway',
    'after the call of the gateway',
    'before the commit',
    'after the commit',
  ];

  test('can happen at only three steps: claiming the idempotency key, calling the gateway and committing', async () => {
    const { needsIn, subscribe } = await shop();
    const needs = needsIn();
    await subscribe(undefined, 'key', needs);
    expect(needs.steps()).toBe(3);
  });

  test.for(deaths)('%s leaves one order and one checkout once the request is repeated', async (death) => {
    const diesAt = deaths.indexOf(death) + 1;
    const { accountId, checkouts, needsIn, orders, stores: plain, subscribe, wait } = await shop();
    expect(await rejected(subscribe(undefined, 'key', needsIn(diesAt)))).toBeInstanceOf(Crash);
    wait(31_000);
    const first = await subscribe(undefined, 'key');
    const again = await subscribe(undefined, 'key');
    expect(again).toEqual(first);
    expect([...checkouts.keys()]).toEqual([first.orderId]);
    expect((await orders()).map(({ orderId }) => orderId)).toEqual([first.orderId]);
    expect((await Array.fromAsync(plain.subscriptions.newestFirst(accountId))).length).toBe(1);
  });

  test('before the commit requires a new idempotency key if the request is repeated more than eleven hours later', async () => {
    const { needsIn, orders, subscribe, wait } = await shop();
    await rejected(subscribe(undefined, 'key', needsIn(5)));
    wait(11.5 * 3_600_000);
    expect(await rejected(subscribe(undefined, 'key'))).toBe('other-body');
    expect(await orders()).toEqual([]);
    await subscribe(undefined, 'another key');
    expect((await orders()).length).toBe(1);
  });
});

test.for([
  ['says that the contents differ', { conflict: true }],
  ['has the earlier checkout', undefined],
] as const)(
  'a request repeated after the price has changed needs a new key if the gateway %s',
  async ([, response]) => {
    const { gateway, needsIn, orders, subscribe, wait } = await shop();
    const earlier: Checkout[] = [];
    const dying = needsIn(5, async (request) => {
      const made = (await gateway.createCheckout(request)) as Checkout;
      earlier.push(made);
      return made;
    });
    await rejected(subscribe(undefined, 'key', dying));
    wait(31_000);
    const asked: string[] = [];
    const needs = needsIn(undefined, async (request) => {
      asked.push(request.orderId);
      const [made] = earlier;
      return request.orderId === made?.orderId ? (response ?? made) : gateway.createCheckout(request);
    });
    const catalog = catalogWith(needs.catalog, plansRow, ({ plans, ...rest }) => ({
      ...rest,
      plans: plans.map((plan) => ({ ...plan, priceMonthlyCents: plan.priceMonthlyCents + 100 })),
    }));
    const changed = { ...needs, catalog };
    expect(await rejected(subscribe(undefined, 'key', changed))).toBe('other-body');
    expect([await orders(), asked]).toEqual([[], [earlier[0]?.orderId]]);
    await subscribe(undefined, 'another key', changed);
    expect((await orders()).length).toBe(1);
  },
);

test('concurrent requests leave as many open orders and checkouts as the limit allows, counting unpaid packs', async () => {
  const { accountId, needsIn, open, stores: plain, subscribe } = await shop();
  for (let given = 0; given < 5; given += 1) await giveOrder({ ...plain, ids: needsIn().ids }, accountId);
  const outcomes = await Promise.all(Array.from({ length: 30 }, () => rejected(subscribe())));
  expect(Map.groupBy(outcomes, String).get('undefined')?.length).toBe(15);
  expect(outcomes.filter((outcome) => outcome !== undefined && outcome !== 'too-many-orders')).toEqual([]);
  const stored = (await plain.orders.list(accountId, {}, { limit: 20, offset: 0 })).map(({ orderId }) => orderId);
  expect(stored).toEqual(expect.arrayContaining(open()));
  expect(open().length).toBe(15);
  const [oldest] = await plain.orders.list(accountId, { status: 'pending' }, { limit: 20, offset: 0 });
  if (oldest) await plain.table.transact([moveOrder(oldest, { status: 'expired' })]);
  expect([await rejected(subscribe()), await rejected(subscribe())]).toEqual([undefined, 'too-many-orders']);
});

test('concurrent requests with one idempotency key create one order and one checkout', async () => {
  const { checkouts, orders, subscribe } = await shop();
  const made = await Promise.all([1, 2, 3].map(() => subscribe(undefined, 'key')));
  expect(new Set(made.map(({ orderId }) => orderId)).size).toBe(1);
  expect([checkouts.size, (await orders()).length]).toEqual([1, 1]);
});
