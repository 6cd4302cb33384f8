/** Subscriptions that operators cancel end, whatever happens at the gateway meanwhile, and so do stray checkouts. */
import { expect, test } from 'vitest';
import {
  handleReport,
  reconcileSubscriptions,
} from '../../../../shared/domain/billing/reconciliation/reconcile-subscriptions.ts';
import { cancelSubscription } from '../../../../shared/domain/billing/subscriptions/cancel-subscription.ts';
import { stores } from '../../../../shared/domain/stores.ts';
import type { SubscriptionGateway } from '../../../../shared/gateways/subscription-gateway.ts';
import { fakeSubscriptionGateway } from '../../../support/fake-subscription-gateway.ts';
import { giveSubscription } from '../../../support/given-subscription.ts';
import { recordedMetrics } from '../../../support/recorded-metrics.ts';
import { anAccount, tableInTests, testIds, testTime } from '../../../support/test-table.ts';
import { ownSubscriptions } from '../own-subscriptions.ts';

const host = await tableInTests();

/** An account with a subscription that awaits payment. */
async function scene() {
  let now = testTime;
  const clock = { now: () => now };
  const account = anAccount({ balance: 0 });
  const { accountId } = account;
  const gateway = fakeSubscriptionGateway(clock);
  const table = ownSubscriptions(host.table, [accountId]);
  const logger = { info: () => undefined, warn: () => undefined };
  const needs = { ...stores(table, clock), clock, ids: testIds, logger, metrics: recordedMetrics() };
  await needs.accounts.insert(account, undefined);
  const orderId = await giveSubscription(needs, gateway.seen(), accountId);
  const { checkoutId = '' } = (await needs.subscriptions.find(accountId, orderId)) ?? {};
  return {
    gateway,
    orderId,
    checkoutId,
    with: (seen: Partial<SubscriptionGateway> = {}) => ({
      ...needs,
      subscriptionGateway: { ...gateway.seen(), ...seen },
    }),
    wait: (days: number) => {
      now += days * 24 * 3_600_000;
    },
    statuses: async () => [
      (await needs.orders.find(orderId))?.status,
      (await needs.subscriptions.find(accountId, orderId))?.status,
    ],
    kinds: async () =>
      (await needs.cases.list({ onlyOpen: true })).filter((one) => one.orderId === orderId).map(({ kind }) => kind),
  };
}

test('a subscription that is paid while an operator cancels it is canceled', async () => {
  const { checkoutId, gateway, orderId, statuses, with: needsWith } = await scene();
  const needs = needsWith({ expireCheckout: async () => gateway.complete(orderId) });
  await cancelSubscription(needs, { checkoutId }, 'now');
  expect(gateway.of(orderId)?.subscription?.status).toBe('canceled');
  expect(await statuses()).toEqual(['paid', 'canceled']);
});

test('an operator cannot cancel a subscription that the gateway does not have', async () => {
  const { checkoutId, with: needsWith } = await scene();
  const canceled = cancelSubscription(needsWith({ read: async () => undefined }), { checkoutId }, 'now');
  await expect(canceled).rejects.toThrow('the gateway does not have the subscription');
});

test('a payment through a checkout that is not the order’s own is canceled at once and opens a case', async () => {
  const { gateway, kinds, orderId, statuses, with: needsWith } = await scene();
  gateway.complete(orderId);
  const report = await gateway.seen().read(gateway.of(orderId)?.checkoutId ?? '');
  if (!report) throw new Error('no report');
  await handleReport(needsWith(), { ...report, subject: 'cs_other' });
  expect(gateway.of(orderId)?.subscription?.status).toBe('canceled');
  expect([await statuses(), await kinds()]).toEqual([['pending', 'pending'], ['payment-without-order']]);
});

test('a subscription at a gateway that is no longer configured is neither looked up at the current one nor closed', async () => {
  const { statuses, wait, with: needsWith } = await scene();
  wait(2);
  const read: SubscriptionGateway['read'] = async () => {
    throw new Error('asked for at another gateway');
  };
  const { failures } = await reconcileSubscriptions(needsWith({ name: `other-${testIds.next()}`, read }));
  expect([failures, await statuses()]).toEqual([[], ['pending', 'pending']]);
});

test('a paid subscription is not closed when the gateway temporarily does not find it', async () => {
  const { gateway, orderId, statuses, wait, with: needsWith } = await scene();
  gateway.complete(orderId, { cents: 1 });
  const down: SubscriptionGateway['cancel'] = async () => {
    throw new Error('no connection');
  };
  await reconcileSubscriptions(needsWith({ cancel: down }));
  expect(await statuses()).toEqual(['failed', 'abandoned']);
  wait(1);
  await reconcileSubscriptions(needsWith({ read: async () => undefined, changedSince: async function* () {} }));
  wait(1);
  await reconcileSubscriptions(needsWith({ changedSince: async function* () {} }));
  expect(gateway.of(orderId)?.subscription?.status).toBe('canceled');
});
