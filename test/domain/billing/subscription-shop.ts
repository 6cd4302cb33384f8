/** A shop that sells subscriptions and whose processes may crash at any step. */
import { isDeepStrictEqual } from 'node:util';
import { changeAccount } from '../../../shared/domain/accounts/account-subscription.ts';
import { createSubscription } from '../../../shared/domain/billing/subscriptions/create-subscription.ts';
import { fingerprintOf, Replay } from '../../../shared/domain/idempotency/idempotency.ts';
import { stores } from '../../../shared/domain/stores.ts';
import { noSubscriptionGateway } from '../../../shared/gateways/no-subscription-gateway.ts';
import type { CheckoutRequest, SubscriptionGateway } from '../../../shared/gateways/subscription-gateway.ts';
import type { Table } from '../../../shared/platform/dynamo-table.ts';
import { randomIds } from '../../../shared/platform/ids.ts';
import { anAccount, testTime } from '../../support/test-table.ts';

export class Crash extends Error {}

/** A process that crashes before or after one of its steps: writes and calls of the gateway. */
function mortal(diesAt: number) {
  let steps = 0;
  const step = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    steps += 1;
    if (steps > diesAt / 2) throw new Crash('the process has died');
    const result = await work();
    if (steps === Math.floor(diesAt / 2) && diesAt % 2 === 0) throw new Crash('the process has died');
    return result;
  };
  return { step, steps: () => steps };
}

/** An account at a service whose gateway records the created checkouts. */
export async function subscriptionShop(table: Table) {
  let now = testTime;
  const clock = { now: () => now };
  const account = anAccount();
  const { accountId } = account;
  await stores(table, clock).accounts.insert(account, undefined);
  const checkouts = new Map<string, CheckoutRequest>();
  const expired = new Set<string>();
  const gateway: SubscriptionGateway = {
    ...noSubscriptionGateway,
    name: 'stripe',
    expireCheckout: async (checkoutId) => void expired.add(checkoutId),
    async createCheckout(request) {
      const made = checkouts.get(request.orderId) ?? request;
      // Rejects a repeated key with different contents, as Stripe does.
      if (!isDeepStrictEqual(made, request)) return { conflict: true };
      checkouts.set(request.orderId, made);
      const { cents, discount, orderId } = made;
      const off = discount
        ? 'percent' in discount.off
          ? (cents * discount.off.percent) / 100
          : discount.off.cents
        : 0;
      return {
        checkoutId: `cs_${orderId}`,
        url: 'https://pay.example/1',
        orderId,
        cents: cents - Math.round(off),
        currency: 'BRL',
      };
    },
  };
  const needsIn = (
    diesAt = Number.POSITIVE_INFINITY,
    create = (request: CheckoutRequest) => gateway.createCheckout(request),
  ) => {
    const { step, steps } = mortal(diesAt);
    const mortalTable: Table = {
      ...table,
      put: (input) => step(() => table.put(input)),
      update: (input) => step(() => table.update(input)),
      transact: (actions) => step(() => table.transact(actions)),
    };
    const createCheckout: SubscriptionGateway['createCheckout'] = (request) => step(() => create(request));
    const pause = async (milliseconds: number) => {
      now += milliseconds;
    };
    const subscriptionGateway = { ...gateway, createCheckout };
    return { ...stores(mortalTable, clock), clock, ids: randomIds(clock), pause, subscriptionGateway, steps };
  };
  const plain = needsIn();
  type Body = Parameters<typeof createSubscription>[1]['body'];
  const monthly: Body = { planId: 'pro', billingCycle: 'monthly' };
  const request = (body: Body = monthly, key?: string) => ({
    accountId,
    body,
    idempotency: key === undefined ? undefined : { key, fingerprint: fingerprintOf(body, key) },
  });
  return {
    accountId,
    checkouts,
    /** The orders whose checkouts can still be paid. */
    open: () => [...checkouts.keys()].filter((orderId) => !expired.has(`cs_${orderId}`)),
    gateway,
    needsIn,
    stores: plain,
    wait: (milliseconds: number) => {
      now += milliseconds;
    },
    orders: () => plain.orders.list(accountId, {}, { limit: 10, offset: 0 }),
    /** The data of the response, whether new or replayed. */
    subscribe: async (body?: Body, key?: string, needs = plain) => {
      const made = await createSubscription(needs, request(body, key));
      return made instanceof Replay ? JSON.parse(made.response.body).data : made;
    },
    activate: () => {
      const action = changeAccount(accountId, 'other', { active: 'begins' });
      return table.transact(action ? [action] : []);
    },
  };
}
