import { afterAll, expect, test } from 'vitest';
import type { Service } from '../../../infra/cli/service.ts';
import { subscriptionCommands } from '../../../infra/cli/subscription-commands.ts';
import { subscriptionScene } from '../../functions/subscription-scene.ts';
import { givenTarget } from './given-target.ts';
import { startOperatedService } from './operated-service.ts';

const service = await startOperatedService();
afterAll(() => service.close());

async function subscribed() {
  const accountId = await service.newAccount(10);
  const scene = subscriptionScene({ service }, { accountId });
  return { accountId, scene, orderId: await scene.subscribe() };
}

const inForce = { plan: 'pro', features: ['cortes', 'studio'], balance: 2010 };

test('`subscription show` shows the account, the paid periods and the credited months of a subscription', async () => {
  const { accountId, orderId, scene } = await subscribed();
  await scene.pay(orderId);
  const { gatewayId, currentPeriodEnd = 0 } = await scene.find(orderId);
  expect(await service.done('subscription', 'show', '--subscription', orderId)).toMatchObject({
    accountId,
    id: orderId,
    status: 'active',
    planId: 'pro',
    billingCycle: 'monthly',
    currentPeriodEnd: new Date(currentPeriodEnd).toISOString(),
    isEnding: false,
    renewsAt: new Date(currentPeriodEnd).toISOString(),
    endsAt: null,
    gateway: 'stripe',
    gatewayId,
    canceledAt: null,
    invoices: [{ cents: 14_990, monthsCredited: 1, refundedCents: 0 }],
  });
});

test('canceling a subscription ends it at the end of the paid period, or at once if the command says so', async () => {
  const { accountId, orderId, scene } = await subscribed();
  await scene.pay(orderId);
  const ending = await service.done('subscription', 'cancel', '--subscription', orderId);
  expect(ending).toMatchObject({ status: 'active', isEnding: true });
  const end = new Date((await scene.find(orderId)).currentPeriodEnd ?? 0).toISOString();
  const list = () => service.done('subscription', 'list', '--account', accountId);
  expect(await list()).toMatchObject({ subscriptions: [{ status: 'active', renewsAt: null, endsAt: end }] });
  const ended = await service.done('subscription', 'cancel', '--subscription', orderId, '--when', 'now');
  expect(ended).toMatchObject({ status: 'canceled' });
  // The paid period lasts until its end.
  expect(await scene.standing()).toEqual({ ...inForce, status: 'canceled' });
});

test('canceling an unpaid subscription makes it impossible to pay', async () => {
  const { orderId, scene } = await subscribed();
  await service.done('subscription', 'cancel', '--subscription', orderId);
  expect(await scene.orderStatus(orderId)).toBe('expired');
  await expect(scene.pay(orderId)).rejects.toThrow();
});

test('settling a subscription grants what was paid although the event was lost, and nothing that is not reported as paid', async () => {
  const { orderId, scene } = await subscribed();
  const waiting = await service.admin(['order', 'settle', '--order', orderId]);
  expect(waiting).toMatchObject({
    exitCode: 1,
    stderr: `Order ${orderId} is pending, and its checkout is open at stripe: no credits were added.\n`,
  });
  service.subscriptions.events = 'lost';
  await scene.pay(orderId);
  service.subscriptions.events = 'at once';
  expect(await scene.orderStatus(orderId)).toBe('pending');
  const settled = () => service.done('order', 'settle', '--order', orderId);
  expect(await settled()).toMatchObject({ addedCredits: 2000, paymentAtGateway: 'completed' });
  expect(await settled()).toMatchObject({ addedCredits: 0 });
  expect(await scene.standing()).toEqual({ ...inForce, status: 'active' });
});

test('settling a subscription whose renewal was not reported says how many credits were added', async () => {
  const { orderId, scene } = await subscribed();
  await scene.pay(orderId);
  service.subscriptions.events = 'lost';
  await scene.change(orderId, 'renew');
  service.subscriptions.events = 'at once';
  const settle = () => service.admin(['order', 'settle', '--order', orderId]);
  expect((await settle()).stdout).toBe(`Order ${orderId} is paid: 2000 credits were added.\n`);
  expect((await settle()).stdout).toBe(`Order ${orderId} was paid already: its 2000 credits were not added again.\n`);
  expect(await scene.standing()).toMatchObject({ balance: 4010 });
});

test('the subscription command reports a missing subscription', async () => {
  const id = service.context.ids.next();
  for (const name of ['show', 'cancel']) {
    const { exitCode, stderr } = await service.admin(['subscription', name, '--subscription', id]);
    expect([exitCode, stderr]).toEqual([1, `There is no subscription ${id}.\n`]);
  }
});

test('advancing the time of a yearly sandbox subscription adds credits month by month, and never goes backwards', async () => {
  const accountId = await service.newAccount(10);
  const scene = subscriptionScene({ service }, { accountId });
  const orderId = await scene.subscribe('annual');
  await scene.pay(orderId);
  const { currentPeriodStart = 0 } = await scene.find(orderId);
  const dayMs = 86_400_000;
  const advance = (days: number) => {
    const to = new Date(currentPeriodStart + days * dayMs).toISOString();
    return service.done('subscription', 'advance', '--subscription', orderId, '--to', to);
  };
  expect(await advance(100)).toMatchObject({ status: 'active', invoices: [{ monthsCredited: 4 }] });
  expect(await scene.standing()).toMatchObject({ balance: 10 + 4 * 2000 });
  expect(await advance(40)).toMatchObject({ invoices: [{ monthsCredited: 4 }] });
  expect(await advance(400)).toMatchObject({ featuresEndedAt: expect.any(String), invoices: [{ monthsCredited: 12 }] });
  expect(await scene.standing()).toEqual({ status: 'active', features: [], balance: 10 + 12 * 2000 });
});

test('advancing the time of a sandbox subscription is rejected on a deployed stage', async () => {
  const [advance] = subscriptionCommands.filter(({ name }) => name === 'advance');
  const { context } = service;
  const deployed = { ...context, deployment: { stage: 'dev', outputs: {} } } as unknown as Service;
  const target = givenTarget(deployed, 'dev');
  await expect(advance?.run({ subscription: 'any', to: 1 }, target)).rejects.toThrow(
    'This command works on the local service only',
  );
});
