/** The commands for orders and cases, on a running service with its sandbox for payments. */
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { reconcileOrders } from '../../../functions/background/reconcile-orders.ts';
import { insertCase } from '../../../shared/domain/billing/cases/case-store.ts';
import { countOpenCases } from '../../../shared/domain/billing/cases/open-cases.ts';
import { actLog } from '../../../shared/domain/operators/act-log.ts';
import { acts } from '../../../shared/domain/operators/acts.ts';
import { noPixGateway } from '../../../shared/gateways/no-pix-gateway.ts';
import { pixGateway } from '../../../shared/gateways/pix-gateways.ts';
import { subscriptionGateway } from '../../../shared/gateways/subscription-gateways.ts';
import { perform } from '../../domain/operators/operators-world.ts';
import { recordedMetrics } from '../../support/recorded-metrics.ts';
import { testIds } from '../../support/test-table.ts';
import { startOperatedService } from './operated-service.ts';

const service = await startOperatedService();
const account = await service.newAccount(0);
const scopes = ['--scopes', 'create:credits,read:orders'];
const { token } = await service.done<{ token: string }>(
  'token',
  'create',
  '--account',
  account,
  '--name',
  'a',
  ...scopes,
);
afterAll(() => service.close());
beforeEach(() => {
  service.payments.events = 'lost';
});

interface Charged {
  readonly orderId: string;
  readonly paymentId: number;
}

async function ordered(): Promise<Charged> {
  const response = await fetch(`${service.url}/api/v1/credits`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ packId: 'pack-100' }),
  });
  const { data } = (await response.json()) as { data: { id: string } };
  return { orderId: data.id, paymentId: service.payments.payments().at(-1)?.id ?? 0 };
}

const balance = async () => (await service.context.accounts.find(account))?.balance ?? 0;
const settle = (orderId: string) => service.done('order', 'settle', '--order', orderId);
const atGateway = async (orderId: string) =>
  (await service.done<{ paymentAtGateway: string }>('order', 'show', '--order', orderId)).paymentAtGateway;
const loggedSettlings = async () =>
  (await actLog(service.context.table).of(`account/${account}`, { limit: 100 })).filter(
    ({ act }) => act === acts.settleOrder.name,
  );
const failure = async (...args: string[]) => {
  const { exitCode, stdout, stderr } = await service.admin(args);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  return stderr;
};

describe('`order settle`', () => {
  it('settles an order that is paid in the sandbox and credits it once, however often the command is run', async () => {
    const before = await balance();
    const { orderId, paymentId } = await ordered();
    expect(await atGateway(orderId)).toBe('pending, BRL 14.90');
    const paid = { orderId, status: 'paid', credits: 100, paymentAtGateway: 'paid, BRL 14.90' };
    expect(await settle(orderId)).toEqual({ ...paid, addedCredits: 100 });
    expect(await atGateway(orderId)).toBe(paid.paymentAtGateway);
    expect(await settle(orderId)).toEqual({ ...paid, addedCredits: 0 });
    const { stdout } = await service.admin(['order', 'settle', '--order', orderId]);
    expect(stdout).toBe(`Order ${orderId} was paid already: its 100 credits were not added again.\n`);
    await service.payments.sent();
    expect(await balance()).toBe(before + 100);
    expect(service.payments.payments().find(({ id }) => id === paymentId)?.status).toBe('approved');
    expect(
      service.payments.payments().filter((one) => one.external_reference.includes(orderId.slice(-12))),
    ).toHaveLength(1);
    expect(await loggedSettlings()).toMatchObject([
      { after: { credits: 0 } },
      { after: { credits: 0 } },
      {
        before: { status: 'pending', paymentAtGateway: 'pending, BRL 14.90' },
        after: { status: 'paid', paymentAtGateway: 'paid, BRL 14.90', credits: 100 },
      },
    ]);
  });

  it('is in the log, and says nothing of the payment, if the gateway does not answer', async () => {
    const { orderId } = await ordered();
    const before = (await loggedSettlings()).length;
    const down = { ...pixGateway(service.context), read: () => Promise.reject(new Error('the gateway is down')) };
    const needs = { ...service.context, pixGateway: down, subscriptionGateway: subscriptionGateway(service.context) };
    await expect(perform(needs, acts.settleOrder, { order: orderId })).rejects.toThrow('the gateway is down');
    const found = await loggedSettlings();
    expect(found).toHaveLength(before + 1);
    expect(found[0]).toMatchObject({ state: 'failed', before: { paymentAtGateway: 'unreadable' } });
  });

  it('adds no credits if the gateway does not report the agreed payment', async () => {
    const before = await balance();
    const [over, wrong] = [await ordered(), await ordered()];
    service.payments.do(over.paymentId, 'expire');
    service.payments.do(wrong.paymentId, 'pay-wrong-amount');
    expect(await atGateway(wrong.orderId)).toBe('paid, BRL 0.01');
    expect(await failure('order', 'settle', '--order', over.orderId)).toBe(
      `Order ${over.orderId} is expired, and its payment is expired at mercado-pago: no credits were added.\n`,
    );
    expect(await failure('order', 'settle', '--order', wrong.orderId)).toBe(
      `Order ${wrong.orderId} is pending, and its payment is paid at mercado-pago: no credits were added.\n`,
    );
    expect(await balance()).toBe(before);
  });

  it('reports a missing order', async () => {
    const orderId = service.context.ids.next();
    expect(await failure('order', 'settle', '--order', orderId)).toBe(`There is no order ${orderId}.\n`);
  });
});

describe('`order cancel`', () => {
  it('cancels an order and its charge, once, and never one that was paid at the same time', async () => {
    const [order, paid] = [await ordered(), await ordered()];
    for (let tries = 0; tries < 2; tries += 1)
      expect(await service.done('order', 'cancel', '--order', order.orderId)).toMatchObject({ status: 'canceled' });
    expect(service.payments.payments().find(({ id }) => id === order.paymentId)?.status).toBe('cancelled');
    const before = await balance();
    service.payments.do(paid.paymentId, 'pay');
    expect(await failure('order', 'cancel', '--order', paid.orderId)).toContain('is paid: only an order that waits');
    expect(await balance()).toBe(before + 100);
  });
});

it('order commands list an account’s orders by status, and all orders that await payment', async () => {
  const { orderId } = await ordered();
  interface Listed {
    readonly orders: { readonly orderId: string; readonly status: string }[];
  }
  const pending = await service.done<Listed>('order', 'list');
  expect(pending.orders.at(-1)).toMatchObject({ orderId, accountId: account, status: 'pending', amount: 14.9 });
  await settle(orderId);
  const { orders } = await service.done<Listed>('order', 'list', '--account', account, '--status', 'paid');
  expect(orders[0]).toMatchObject({ orderId, status: 'paid' });
  expect(new Set(orders.map(({ status }) => status))).toEqual(new Set(['paid']));
  expect((await service.done<Listed>('order', 'list')).orders.map((one) => one.orderId)).not.toContain(orderId);
});

describe('billing cases', () => {
  it('are shown with their order, listed until they are resolved, and resolved once', async () => {
    const { orderId, paymentId } = await ordered();
    service.payments.do(paymentId, 'pay-wrong-amount');
    await service.invoke('reconcileOrders', {});
    const { cases } = await service.done<{ cases: string[] }>('order', 'show', '--order', orderId);
    const [caseId = ''] = cases;
    const open = {
      caseId,
      kind: 'wrong-amount',
      orderId,
      accountId: account,
      amount: 0.01,
      orderAmount: 14.9,
      resolvedAt: null,
    };
    expect(await service.done('case', 'show', '--case', caseId)).toMatchObject(open);
    const listed = async (...options: string[]) =>
      (await service.done<{ cases: { caseId: string }[] }>('case', 'list', ...options)).cases.map((one) => one.caseId);
    expect(await listed()).toContain(caseId);
    expect((await service.admin(['case', 'list'])).stdout).toMatch(/ BRL 0\.01 of 14\.90(?: |$)/m);
    const counted = await countOpenCases(service.context.table);

    const resolve = ['case', 'resolve', '--case', caseId, '--reason'] as const;
    const resolved = await service.done(...resolve, 'refunded');
    expect(resolved).toMatchObject({ resolution: 'refunded', resolvedAt: expect.any(String) });
    expect(await failure(...resolve, 'ignored')).toBe(`Case ${caseId} has already been resolved: refunded\n`);
    expect(await listed()).not.toContain(caseId);
    expect(await listed('--status', 'all')).toContain(caseId);
    expect(await countOpenCases(service.context.table)).toBe(counted - 1);
    await service.invoke('reconcileOrders', {});
    expect(await service.done('case', 'show', '--case', caseId)).toEqual(resolved);
  });

  it('that do not exist are reported as missing', async () => {
    const id = `${testIds.next()}.0123456789abcdef`;
    for (const [name, ...options] of [['show'], ['resolve', '--reason', 'any']] as const)
      expect(await failure('case', name, '--case', id, ...options)).toBe(`There is no case ${id}.\n`);
  });

  it('are counted by the next reconciliation, even if a process crashed before it reported them', async () => {
    const given = { kind: 'second-payment', orderId: 'order', gateway: 'mercado-pago', paymentId: '7' } as const;
    const unreported = { ...given, caseId: 'order.fedcba9876543210', cents: 1, currency: 'BRL', createdAt: 1 };
    await service.context.table.transact([insertCase(unreported)]);
    const { cases } = await service.done<{ cases: { caseId: string }[] }>('case', 'list');
    expect(cases[0]).toMatchObject({ caseId: unreported.caseId });
    const metrics = recordedMetrics();
    await reconcileOrders({}, { ...service.context, metrics, pixGateway: noPixGateway });
    expect(metrics.recorded).toContainEqual([{ OpenBillingCases: cases.length }]);
  });
});
