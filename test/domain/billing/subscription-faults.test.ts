/**
 * Subscriptions stay correct if a process crashes, a checkout or gateway is replaced, or several end or wait at once.
 */
import { expect, test } from 'vitest';
import {
  handleReport,
  reconcileSubscriptions,
} from '../../../shared/domain/billing/reconciliation/reconcile-subscriptions.ts';
import { applyReport, applyTime } from '../../../shared/domain/billing/subscriptions/apply-report.ts';
import { presentCurrentSubscription } from '../../../shared/domain/billing/subscriptions/current-subscription.ts';
import { stores } from '../../../shared/domain/stores.ts';
import { noSubscriptionGateway } from '../../../shared/gateways/no-subscription-gateway.ts';
import type { Table } from '../../../shared/platform/dynamo-table.ts';
import { tableInTests, testIds } from '../../support/test-table.ts';
import { appliedSubscriptions, credits } from './applied-subscriptions.ts';
import { ownSubscriptions } from './own-subscriptions.ts';
import { annual, dayMs, type GivenState, invoice, monthEnd, report, wholeYear, yearEnd } from './subscription-scene.ts';

const host = await tableInTests();

const scene = (...given: readonly GivenState[]) => appliedSubscriptions(host.table, ...given);

test('a repeated gateway report completes the changes that a crash left unfinished', async () => {
  const { needs, read, rows, states } = await scene({ subscription: annual });
  const reported = report(states[0], { invoices: [wholeYear], status: 'canceled' });
  let writes = 0;
  const table: Table = {
    ...host.table,
    async transact(actions) {
      writes += 1;
      if (writes > 1) throw new Error('the process has died');
      await host.table.transact(actions);
    },
  };
  await expect(applyReport({ ...needs, table }, reported)).rejects.toThrow('died');
  expect((await read()).subscription?.status).toBe('active');
  await applyReport(needs, reported);
  expect((await read()).subscription?.status).toBe('canceled');
  expect(await rows()).toEqual([credits]);
});

test('a payment through a checkout that is not the order’s own does not change the order', async () => {
  const { needs, read, rows, states } = await scene({});
  const stray = { ...report(states[0], { invoices: [invoice()] }), subject: 'cs_other' };
  expect(await applyReport(needs, stray)).toEqual({ moves: [], state: undefined, isStray: true });
  expect(await read()).toMatchObject({ order: { status: 'pending' }, subscription: { status: 'pending' } });
  expect(await rows()).toEqual([]);
});

test('a payment that was first reported for another checkout of its order is recorded once, and then handled as usual', async () => {
  const { actions, needs, paid, read, states } = await scene({});
  const invoices = [invoice({ cents: 1 })];
  await handleReport(needs, { ...report(states[0], { invoices }), subject: 'cs_other' });
  for (let times = 0; times < 2; times += 1) await paid({ invoices });
  expect(await read()).toMatchObject({ order: { status: 'failed' }, subscription: { status: 'abandoned' } });
  const { orderId } = states[0].order;
  expect((await needs.cases.ofOrder(orderId)).map(({ kind }) => kind)).toEqual(['payment-without-order']);
  expect(actions).toContain('cancel sub_1 now');
});

test('a subscription at a removed gateway still gets monthly credits and loses its features on time, but stays open', async () => {
  const accountId = testIds.next();
  const { at, needs, paid, read, rows, states } = await scene(
    { account: { accountId }, subscription: annual },
    { account: { accountId } },
  );
  await paid({ invoices: [wholeYear] });
  const elsewhere = { ...needs, subscriptionGateway: noSubscriptionGateway };
  at(yearEnd + 3 * dayMs);
  for (const { order } of states) await applyTime(elsewhere, order.orderId);
  expect((await rows()).length).toBe(12);
  expect(await read()).toMatchObject({ subscription: { status: 'active' }, account: { features: [] } });
  expect(await read(states[1])).toMatchObject({ order: { status: 'pending' }, subscription: { status: 'pending' } });
});

test('a canceled subscription that cannot be read at the gateway gets its paid months’ credits and ends on time', async () => {
  const accountId = testIds.next();
  const table = ownSubscriptions(host.table, [accountId]);
  const { at, needs, paid, read, rows } = await appliedSubscriptions(table, {
    account: { accountId },
    subscription: annual,
  });
  await paid({ invoices: [wholeYear], status: 'canceled' });
  const unreadable = async () => {
    throw new Error('a status of the future');
  };
  const reconcile = async () => {
    const gateway = { ...needs.subscriptionGateway, read: unreadable };
    const { failures } = await reconcileSubscriptions({
      ...needs,
      cases: stores(table, needs.clock).cases,
      subscriptionGateway: gateway,
    });
    expect(String(failures[0]?.error)).toContain('a status of the future');
  };
  at(monthEnd);
  await reconcile();
  expect(await rows()).toEqual([credits, credits]);
  at(yearEnd);
  await reconcile();
  expect((await rows()).length).toBe(12);
  const { account, subscription } = await read();
  expect([account?.planId, account?.features, subscription?.status]).toEqual([undefined, [], 'canceled']);
});

test('the current subscription is found behind more than a hundred abandoned ones', async () => {
  const accountId = testIds.next();
  const abandoned = { account: { accountId }, subscription: { status: 'abandoned', isClosed: true } } as const;
  const { needs, states } = await scene({ account: { accountId } }, ...Array.from({ length: 101 }, () => abandoned));
  expect(await presentCurrentSubscription(needs, accountId)).toMatchObject({
    id: states[0].order.orderId,
    status: 'pending',
  });
});
