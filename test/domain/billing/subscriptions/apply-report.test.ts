/** The effects of reports about a subscription on orders, accounts, ledger and cases, each exactly once. */
import { expect, test } from 'vitest';
import { applyReport, applyTime } from '../../../../shared/domain/billing/subscriptions/apply-report.ts';
import type { PaidInvoice } from '../../../../shared/gateways/subscription-gateway.ts';
import { tableInTests, testIds } from '../../../support/test-table.ts';
import { appliedSubscriptions, credits } from '../applied-subscriptions.ts';
import {
  annual,
  dayMs,
  type GivenState,
  invoice,
  monthEnd,
  renewal,
  report,
  returned,
  start,
  wholeYear,
  yearEnd,
} from '../subscription-scene.ts';

const host = await tableInTests();

const scene = (...given: readonly GivenState[]) => appliedSubscriptions(host.table, ...given);

test('the first payment of a subscription grants the plan and its credits, once', async () => {
  const { paid, read, rows, states, metrics, agrees } = await scene({});
  for (let times = 0; times < 2; times += 1) await paid({ invoices: [invoice()] });
  expect(await rows()).toEqual([credits]);
  const { subscriptionId } = states[0].subscription;
  expect(await read()).toMatchObject({
    order: { status: 'paid', paidBy: 'in_1', paidAt: start },
    subscription: { status: 'active', gatewayId: 'sub_1', currentPeriodStart: start, currentPeriodEnd: monthEnd },
    account: {
      balance: 2000,
      planId: 'pro',
      planSource: subscriptionId,
      activeSubscription: subscriptionId,
      features: ['cortes', 'studio'],
    },
  });
  expect(metrics.recorded).toEqual([[{ OrdersPaid: 1 }], [{ SubscriptionsStarted: 1 }]]);
  await agrees();
});

test('a subscription order that has expired can still be paid, and is then marked as late', async () => {
  const { needs, paid, read, states } = await scene({});
  await applyReport(needs, report(states[0], undefined, 'expired'));
  expect(await read()).toMatchObject({ order: { status: 'expired' }, subscription: { status: 'abandoned' } });
  expect((await read()).subscription?.checkAt).toBeUndefined();
  await paid({ invoices: [invoice()] });
  expect(await read()).toMatchObject({ order: { status: 'paid', isLate: true }, subscription: { status: 'active' } });
});

test('each renewal of a subscription adds credits once and starts the next period', async () => {
  const { at, paid, read, rows, agrees } = await scene({});
  await paid({ invoices: [invoice()] });
  at(monthEnd);
  const invoices = [invoice(), renewal()];
  await Promise.all([paid({ invoices }), paid({ invoices }), paid({ invoices })]);
  expect(await rows()).toEqual([credits, credits]);
  expect((await read()).subscription).toMatchObject({
    currentPeriodStart: monthEnd,
    currentPeriodEnd: renewal().periodEnd,
  });
  await agrees();
});

test('a yearly subscription adds the credits of each month, including months that were missed', async () => {
  const { at, needs, paid, read, rows, states, agrees } = await scene({
    order: { cents: 10_000 },
    subscription: annual,
  });
  await paid({ invoices: [wholeYear] });
  at(monthEnd);
  await applyTime(needs, states[0].subscription.subscriptionId);
  expect(await rows()).toEqual([credits, credits]);
  at(Date.UTC(2030, 5, 30));
  await Promise.all([paid({ invoices: [wholeYear] }), paid({ invoices: [wholeYear] })]);
  expect((await rows()).length).toBe(6);
  at(yearEnd - 1);
  await paid({ invoices: [wholeYear] });
  expect((await rows()).length).toBe(12);
  at(yearEnd + 2 * dayMs);
  await paid({ invoices: [wholeYear] });
  expect((await rows()).length).toBe(12);
  expect((await read()).account?.balance).toBe(24_000);
  await agrees();
});

test('an account’s other open checkouts become due for expiry at the gateway once a subscription is active', async () => {
  const accountId = testIds.next();
  const { actions, needs, paid, states } = await scene({ account: { accountId } }, { account: { accountId } });
  await paid({ invoices: [invoice()] });
  const { orderId } = states[1].order;
  const due = await Array.fromAsync(needs.subscriptions.due(start));
  expect(due.filter((one) => one.accountId === accountId)).toEqual([{ accountId, subscriptionId: orderId }]);
  await applyReport(needs, report(states[1]));
  expect(actions).toEqual(['expire cs_1']);
});

test('a wrong amount grants nothing, opens a case, and cancels the subscription at the gateway, with retries if that fails', async () => {
  const { at, cases, actions, paid, read, rows } = await scene({});
  const invoices = [invoice({ cents: 1 })];
  for (let times = 0; times < 2; times += 1) await paid({ invoices });
  expect(await read()).toMatchObject({
    order: { status: 'failed' },
    subscription: { status: 'abandoned' },
    account: { balance: 0, features: [] },
  });
  expect([await rows(), (await cases()).map(({ kind, cents }) => [kind, cents])]).toEqual([[], [['wrong-amount', 1]]]);
  expect(actions).toEqual(['cancel sub_1 now', 'cancel sub_1 now']);
  at(start + dayMs);
  await paid({ invoices, status: 'canceled' });
  expect(actions.length).toBe(2);
  expect((await read()).subscription?.checkAt).toBeUndefined();
});

test('a returned payment takes the credits back, ends the features and cancels the subscription at the gateway', async () => {
  const { cases, actions, paid, read, rows, metrics, agrees } = await scene({});
  await paid({ invoices: [invoice()] });
  await paid({ invoices: [returned(invoice())] });
  await paid({ invoices: [returned(invoice())], status: 'canceled' });
  const { order, subscription, account } = await read();
  expect([order?.status, subscription?.status, subscription?.checkAt]).toEqual(['refunded', 'canceled', undefined]);
  expect(account).toMatchObject({ balance: 0, features: [] });
  expect([account?.planId, account?.planSource, account?.activeSubscription]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect([await rows(), await cases()]).toEqual([[['refund', -2000], credits], []]);
  expect(actions).toEqual(['cancel sub_1 now']);
  expect(metrics.recorded.flat()).toEqual([
    { OrdersPaid: 1 },
    { SubscriptionsStarted: 1 },
    { OrdersRefunded: 1 },
    { SubscriptionsEnded: 1 },
  ]);
  await agrees();
});

test('a returned payment takes credits back down to zero and opens a case for the rest', async () => {
  const { cases, paid, read, rows, spend, agrees } = await scene({ subscription: annual });
  await paid({ invoices: [wholeYear] });
  await spend(1500);
  await paid({ invoices: [returned(wholeYear)] });
  expect((await read()).account?.balance).toBe(0);
  expect((await rows())[0]).toEqual(['refund', -500]);
  expect((await cases()).map(({ kind, missingCredits }) => [kind, missingCredits])).toEqual([['used-credits', 1500]]);
  await agrees();
});

test('a returned payment for an earlier period takes back its credits and keeps the plan', async () => {
  const { at, paid, read, rows } = await scene({});
  await paid({ invoices: [invoice()] });
  at(monthEnd);
  await paid({ invoices: [invoice(), renewal()] });
  await paid({ invoices: [returned(invoice()), renewal()] });
  expect(await rows()).toEqual([['refund', -2000], credits, credits]);
  expect(await read()).toMatchObject({
    order: { status: 'refunded' },
    subscription: { status: 'active' },
    account: { features: ['cortes', 'studio'] },
  });
});

test('a payment that was refunded before its notification arrived adds no credits', async () => {
  const { actions, paid, read, rows } = await scene({});
  await paid({ invoices: [returned(invoice())] });
  expect(await read()).toMatchObject({
    order: { status: 'refunded', paidBy: 'in_1' },
    subscription: { status: 'abandoned' },
    account: { balance: 0, features: [] },
  });
  expect([await rows(), actions]).toEqual([[], ['cancel sub_1 now']]);
});

test('each partial refund opens its own case', async () => {
  const { cases, paid, rows } = await scene({});
  for (const refundedCents of [0, 100, 100, 300]) await paid({ invoices: [invoice({ refundedCents })] });
  const found = (await cases()).map(({ kind, cents }) => `${kind} ${cents}`);
  expect(new Set(found)).toEqual(new Set(['partial-refund 100', 'partial-refund 300']));
  expect(found.length).toBe(2);
  expect(await rows()).toEqual([credits]);
});

const current = { invoices: [invoice()] };

test('a canceled subscription keeps its features until the end of the paid period', async () => {
  const { at, paid, read } = await scene({});
  await paid(current);
  await paid({ ...current, status: 'canceled' });
  expect(await read()).toMatchObject({
    subscription: { status: 'canceled', canceledAt: start, checkAt: monthEnd },
    account: { planId: 'pro', features: ['cortes', 'studio'] },
  });
  expect((await read()).account?.activeSubscription).toBeUndefined();
  at(monthEnd);
  await paid({ ...current, status: 'canceled' });
  const { account, subscription } = await read();
  expect([account?.planId, account?.features, subscription?.checkAt]).toEqual([undefined, [], undefined]);
});

test('the features of a past-due subscription end after three days, and a payment restores them', async () => {
  const { at, paid, read, rows } = await scene({});
  await paid(current);
  at(monthEnd + 3 * dayMs);
  await paid({ ...current, status: 'past_due' });
  expect(await read()).toMatchObject({
    subscription: { status: 'past_due' },
    account: { features: [], balance: 2000 },
  });
  expect((await read()).account?.activeSubscription).toBeDefined();
  await paid({ invoices: [invoice(), renewal()] });
  expect(await read()).toMatchObject({
    subscription: { status: 'active' },
    account: { planId: 'pro', features: ['cortes', 'studio'], balance: 4000 },
  });
  expect(await rows()).toEqual([credits, credits]);
});

test('the end of a subscription does not remove the plan that another subscription has granted', async () => {
  const accountId = testIds.next();
  const next = { planId: 'business', features: ['piloto'] } as const;
  const { at, paid, read, states } = await scene(
    { account: { accountId } },
    { account: { accountId }, subscription: next },
  );
  await paid(current);
  await paid({ ...current, status: 'canceled' });
  await paid({ subscriptionId: 'sub_2', invoices: [invoice({ invoiceId: 'in_9' })] }, states[1]);
  at(monthEnd);
  await paid({ ...current, status: 'canceled' });
  expect((await read()).subscription?.lapsedAt).toBe(monthEnd);
  expect((await read()).account).toMatchObject({
    planId: 'business',
    features: ['piloto'],
    activeSubscription: states[1].order.orderId,
  });
});

test('a late payment for a canceled subscription is credited, and restores the plan unless the account has another one', async () => {
  const both: PaidInvoice[] = [invoice(), renewal()];
  const { at, paid, read, rows } = await scene({});
  await paid(current);
  at(monthEnd);
  await paid({ ...current, status: 'canceled' });
  await paid({ invoices: both, status: 'canceled' });
  expect(await rows()).toEqual([credits, credits]);
  expect(await read()).toMatchObject({
    subscription: { status: 'canceled' },
    account: { features: ['cortes', 'studio'] },
  });
  expect((await read()).account?.activeSubscription).toBeUndefined();
});

test('a subscription replaces a plan that an operator granted', async () => {
  const { paid, read } = await scene({ account: { planId: 'business', features: ['piloto'] } });
  await paid(current);
  expect((await read()).account).toMatchObject({ planId: 'pro', features: ['cortes', 'studio'] });
});

test('a gateway report without a matching subscription order changes nothing', async () => {
  const { needs, states } = await scene({});
  for (const orderId of [undefined, testIds.next()])
    expect(await applyReport(needs, { ...report(states[0], current), orderId })).toEqual({
      moves: [],
      state: undefined,
    });
});

test('a subscription for which nothing was due is checked again later, and daily while it is active', async () => {
  const { at, needs, paid, read, states } = await scene({});
  await paid(current);
  expect((await read()).subscription?.checkAt).toBe(start + dayMs);
  at(start + dayMs);
  await applyTime(needs, states[0].order.orderId);
  expect((await read()).subscription?.checkAt).toBe(start + 2 * dayMs);
});
