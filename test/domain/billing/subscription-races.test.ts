/** Two concurrent changes of an account's subscriptions have the same result as one after the other. */
import { describe, expect, test } from 'vitest';
import { updateAccount } from '../../../shared/domain/accounts/update-account.ts';
import { applyReport, applyTime } from '../../../shared/domain/billing/subscriptions/apply-report.ts';
import { closeAccount, reopenAccount } from '../../../shared/domain/privacy/closing.ts';
import type { Table } from '../../../shared/platform/dynamo-table.ts';
import { tableInTests, testIds } from '../../support/test-table.ts';
import { appliedSubscriptions, credits } from './applied-subscriptions.ts';
import {
  annual,
  dayMs,
  invoice,
  monthEnd,
  renewal,
  report,
  returned,
  start,
  wholeYear,
  yearEnd,
} from './subscription-scene.ts';

const host = await tableInTests();

/** Runs a second change after a process has read everything and before its first write. */
function interrupted(meanwhile: () => Promise<unknown>): Table {
  let isInterrupted = false;
  return {
    ...host.table,
    async transact(actions) {
      if (!isInterrupted) {
        isInterrupted = true;
        await meanwhile();
      }
      await host.table.transact(actions);
    },
  };
}

const second = invoice({ invoiceId: 'in_9' });

/** Two subscriptions of an account, both paid and canceled; the account has the second one's plan. */
async function bothCanceled() {
  const accountId = testIds.next();
  const made = await appliedSubscriptions(
    host.table,
    { account: { accountId } },
    { account: { accountId }, subscription: { planId: 'business', features: ['piloto'] } },
  );
  const [one, other] = made.states;
  const reports = {
    one: report(one, { invoices: [invoice()], status: 'canceled' }),
    other: report(other, { subscriptionId: 'sub_2', invoices: [second], status: 'canceled' }),
  };
  for (const reported of Object.values(reports)) await applyReport(made.needs, reported);
  expect((await made.read()).account?.planSource).toBe(other.order.orderId);
  return { ...made, one, other };
}

type Work = (table: Table) => Promise<unknown>;

/** Each of the two changes is interrupted by a complete run of the other one. */
const orders: readonly [string, (works: readonly [Work, Work]) => Promise<unknown>][] = [
  ['the first change commits in the middle of the second', ([one, other]) => other(interrupted(() => one(host.table)))],
  ['the second change commits in the middle of the first', ([one, other]) => one(interrupted(() => other(host.table)))],
];

describe.for(orders)('when %s', ([, run]) => {
  test('a plan that two subscriptions paid for is removed if both subscriptions are refunded', async () => {
    const { needs, one, other, read } = await bothCanceled();
    const back = [
      report(one, { invoices: [returned(invoice())], status: 'canceled' }),
      report(other, { subscriptionId: 'sub_2', invoices: [returned(second)], status: 'canceled' }),
    ] as const;
    const [first, last] = back.map((reported) => (table: Table) => applyReport({ ...needs, table }, reported));
    await run([first as Work, last as Work]);
    const { account } = await read();
    expect([account?.planId, account?.planSource, account?.features, account?.balance]).toEqual([
      undefined,
      undefined,
      [],
      0,
    ]);
  });

  test('a late payment of a canceled subscription grants its plan even if another subscription’s plan ends then', async () => {
    const { at, needs, one, other, read, rows } = await bothCanceled();
    at(monthEnd);
    await applyTime(needs, one.order.orderId);
    const late = report(one, { invoices: [invoice(), renewal()], status: 'canceled' });
    await run([
      (table) => applyReport({ ...needs, table }, late),
      (table) => applyTime({ ...needs, table }, other.order.orderId),
    ]);
    expect(await read()).toMatchObject({
      subscription: { status: 'canceled', currentPeriodEnd: renewal().periodEnd },
      account: { planId: 'pro', planSource: one.order.orderId, features: ['cortes', 'studio'] },
    });
    expect(await rows()).toEqual([credits, credits, credits]);
  });

  test('of two paid subscriptions, one becomes active; the other is canceled and opens a case', async () => {
    const accountId = testIds.next();
    const { cases, actions, needs, read, rows, states } = await appliedSubscriptions(
      host.table,
      { account: { accountId } },
      { account: { accountId } },
    );
    const [first, last] = states.map(
      (state, index) => (table: Table) =>
        applyReport(
          { ...needs, table },
          report(state, { subscriptionId: `sub_${index}`, invoices: [invoice({ invoiceId: `in_${index}` })] }),
        ),
    );
    await run([first as Work, last as Work]);
    const statuses = await Promise.all(states.map(async (state) => (await read(state)).subscription?.status));
    expect(new Set(statuses)).toEqual(new Set(['abandoned', 'active']));
    const loser = statuses.indexOf('abandoned');
    expect((await read(states[loser])).order).toMatchObject({ status: 'canceled' });
    expect(await rows()).toEqual([credits]);
    expect((await cases()).map(({ kind }) => kind)).toEqual(['second-subscription']);
    expect(actions).toEqual([`cancel sub_${loser} now`]);
    const due = await Array.fromAsync(needs.subscriptions.due(start + dayMs));
    expect(due).toContainEqual({ accountId, subscriptionId: states[loser]?.order.orderId });
  });
});

test('a yearly subscription adds no credits while its account is closed, then the missed ones, and none after an erasure', async () => {
  const { at, needs, paid, read, rows, states, agrees } = await appliedSubscriptions(host.table, {
    order: { cents: 10_000 },
    subscription: annual,
  });
  const { accountId, subscriptionId } = states[0].subscription;
  await paid({ invoices: [wholeYear] });
  at(monthEnd - dayMs);
  await closeAccount(needs, accountId);
  at(monthEnd);
  // A second process has read the account before it was closed.
  const { closing: _closed, ...before } = (await needs.accounts.find(accountId)) ?? expect.fail();
  let reads = 0;
  const find = (id: string) => (reads++ === 0 ? Promise.resolve(before) : needs.accounts.find(id));
  await applyTime({ ...needs, accounts: { ...needs.accounts, find } }, subscriptionId);
  expect(await rows()).toEqual([credits]);
  expect((await read()).subscription?.checkAt).toBe(monthEnd + dayMs);
  await reopenAccount(needs, accountId);
  at(monthEnd + dayMs);
  await applyTime(needs, subscriptionId);
  expect(await rows()).toEqual([credits, credits]);
  await needs.table.transact([updateAccount(accountId, [{ set: ['erasedAt = :now'], values: { ':now': monthEnd } }])]);
  at(yearEnd + 2 * dayMs);
  await applyTime(needs, subscriptionId);
  expect(await rows()).toEqual([credits, credits]);
  await agrees();
});
