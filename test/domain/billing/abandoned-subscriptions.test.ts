/** Unpaid checkouts are deleted after some time, and a late payment of one is never lost. */
import { expect, test } from 'vitest';
import { handleReport } from '../../../shared/domain/billing/reconciliation/reconcile-subscriptions.ts';
import { applyReport } from '../../../shared/domain/billing/subscriptions/apply-report.ts';
import { insertSubscription } from '../../../shared/domain/billing/subscriptions/subscription-store.ts';
import { expiryAttribute, subscriptionKey } from '../../../shared/domain/keys.ts';
import { tableInTests, testIds } from '../../support/test-table.ts';
import { appliedSubscriptions } from './applied-subscriptions.ts';
import { dayMs, invoice, report } from './subscription-scene.ts';

const host = await tableInTests();

async function scene() {
  const made = await appliedSubscriptions(host.table, {});
  const [state] = made.states;
  const { accountId, subscriptionId, payableUntil } = state.subscription;
  const key = subscriptionKey(accountId, subscriptionId);
  return {
    ...made,
    state,
    payableUntil,
    abandon: () => applyReport(made.needs, report(state, undefined, 'expired')),
    /** The time at which the table deletes the order. */
    deletedAt: async () => (await host.table.get(key))?.[expiryAttribute],
    remove: () => host.table.transact([{ Delete: { Key: key } }]),
  };
}

test('an abandoned subscription checkout is deleted a month after its end', async () => {
  const { abandon, deletedAt, payableUntil } = await scene();
  expect(await deletedAt()).toBeUndefined();
  await abandon();
  expect(await deletedAt()).toBe((payableUntil + 30 * dayMs) / 1000);
});

test('an abandoned subscription checkout that is paid late is kept', async () => {
  const { abandon, deletedAt, paid } = await scene();
  await abandon();
  await paid({ invoices: [invoice()] });
  expect(await deletedAt()).toBeUndefined();
});

test('an abandoned subscription checkout that was paid with a wrong amount is kept', async () => {
  const { deletedAt, paid, read } = await scene();
  await paid({ invoices: [invoice({ cents: 1 })] });
  await paid({ invoices: [invoice({ cents: 1 })], status: 'canceled' });
  expect((await read()).subscription).toMatchObject({ status: 'abandoned', isClosed: true });
  expect(await deletedAt()).toBeUndefined();
});

test('a payment for a deleted checkout is canceled at the gateway and opens a case', async () => {
  const { abandon, at, actions, needs, payableUntil, remove, rows, state } = await scene();
  await abandon();
  await remove();
  at(payableUntil + 31 * dayMs);
  const paid = report(state, { invoices: [invoice({ invoiceId: testIds.next() })] });
  await handleReport(needs, paid);
  expect(actions).toEqual([`cancel ${paid.subscription?.subscriptionId} now`]);
  const cases = (await needs.cases.list({ onlyOpen: true })).filter((one) => one.orderId === state.order.orderId);
  expect([cases.map(({ kind }) => kind), await rows()]).toEqual([['payment-without-order'], []]);
});

test('the cleanup of abandoned checkouts reads only the newest subscriptions of an account', async () => {
  const { needs, states } = await appliedSubscriptions(host.table, {}, {});
  const { accountId } = states[0].account;
  const [older, newer] = [states[0].subscription, { ...states[1].subscription, accountId }];
  await host.table.transact([insertSubscription(newer)]);
  const newest = async (max?: number) =>
    (await Array.fromAsync(needs.subscriptions.newestFirst(accountId, max === undefined ? {} : { max }))).map(
      (one) => one.subscriptionId,
    );
  expect(await newest()).toEqual([newer.subscriptionId, older.subscriptionId]);
  expect(await newest(1)).toEqual([newer.subscriptionId]);
});
