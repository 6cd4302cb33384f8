/** Stored subscriptions to which reports are applied, and the effects at the gateway. */
import { expect } from 'vitest';
import { insertOrder } from '../../../shared/domain/billing/orders/order-store.ts';
import type { SubscriptionReconcileNeeds } from '../../../shared/domain/billing/reconciliation/reconcile-subscriptions.ts';
import { applyReport } from '../../../shared/domain/billing/subscriptions/apply-report.ts';
import type { SubscriptionState } from '../../../shared/domain/billing/subscriptions/subscription-move.ts';
import { insertSubscription } from '../../../shared/domain/billing/subscriptions/subscription-store.ts';
import { stores } from '../../../shared/domain/stores.ts';
import { noSubscriptionGateway } from '../../../shared/gateways/no-subscription-gateway.ts';
import type { ReportedSubscription, SubscriptionReport } from '../../../shared/gateways/subscription-gateway.ts';
import type { Table } from '../../../shared/platform/dynamo-table.ts';
import { recordedMetrics } from '../../support/recorded-metrics.ts';
import { testIds } from '../../support/test-table.ts';
import { type GivenState, pendingState, report, start } from './subscription-scene.ts';

/** The id of the ledger row that grants a month's credits. */
export const credits = ['subscription', 2000];

/** Stored subscriptions of one account, with a clock that tests can set. */
export async function appliedSubscriptions(table: Table, ...given: readonly GivenState[]) {
  let now = start;
  const clock = { now: () => now };
  const metrics = recordedMetrics();
  const actions: string[] = [];
  let latest: SubscriptionReport | undefined;
  const all = stores(table, clock);
  const needs: SubscriptionReconcileNeeds = {
    ...all,
    clock,
    ids: testIds,
    logger: { info: () => undefined, warn: () => undefined },
    metrics,
    subscriptionGateway: {
      ...noSubscriptionGateway,
      name: 'stripe',
      read: async () => latest,
      expireCheckout: async (checkoutId) => void actions.push(`expire ${checkoutId}`),
      cancel: async (subscriptionId, when) => void actions.push(`cancel ${subscriptionId} ${when}`),
    },
  };
  const states = given.map((one) => pendingState(one));
  for (const [index, { order, subscription, account }] of states.entries()) {
    if (states.findIndex((other) => other.account.accountId === account.accountId) === index)
      await all.accounts.insert(account, undefined);
    await table.transact([insertOrder(order), insertSubscription(subscription)]);
  }
  const [first] = states as [SubscriptionState];
  const { accountId } = first.account;
  const read = async ({ order: { orderId } }: SubscriptionState = first) => ({
    order: await all.orders.find(orderId),
    subscription: await all.subscriptions.find(accountId, orderId),
    account: await all.accounts.find(accountId),
    invoices: await all.subscriptions.invoices(orderId),
  });
  return {
    states: states as [SubscriptionState, SubscriptionState],
    needs,
    actions,
    metrics,
    read,
    at: (time: number) => {
      now = time;
    },
    /** Applies a report, which the gateway also returns from now on. */
    paid: (reported: Partial<ReportedSubscription>, state = first) => {
      latest = report(state, reported);
      return applyReport(needs, latest);
    },
    rows: async () =>
      (await all.ledger.list(accountId, { limit: 100, offset: 0 })).map(({ amount, reason }) => [reason, amount]),
    allCases: async () => (await all.cases.list({ onlyOpen: false })).filter((one) => one.accountId === accountId),
    cases: async () => (await all.cases.list({ onlyOpen: true })).filter((one) => one.accountId === accountId),
    spend: (amount: number) =>
      all.accounts.post({ id: testIds.next(), accountId, amount: -amount, reason: 'generation', at: now }),
    /** Fails unless the balance is the sum of the ledger. */
    agrees: async () => expect((await all.accounts.find(accountId))?.balance).toBe(await all.ledger.sum(accountId)),
  };
}
