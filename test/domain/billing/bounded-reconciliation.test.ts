/** A reconciliation does only so much in one run, and nothing has to wait for ever because of that. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reconcileOrders } from '../../../shared/domain/billing/reconcile-orders.ts';
import type { PixGateway } from '../../../shared/gateways/pix-gateway.ts';
import { type TestTable, testTable } from '../../support/test-table.ts';
import { type BillingWorld, billingWorld, type Step } from './billing-world.ts';
import { well } from './mortal-process.ts';

let host: TestTable;

beforeAll(async () => {
  host = await testTable();
});
afterAll(() => host.close());

const buy: Step = { do: 'buy', buyer: 0, pack: 0, ...well };

async function worldWithOrders(count: number): Promise<BillingWorld> {
  const world = await billingWorld(host.table);
  for (let made = 0; made < count; made += 1) await world.step(buy);
  return world;
}

const run = (world: BillingWorld, budget: { payments: number; orders: number }, gateway: Partial<PixGateway> = {}) => {
  const logger = { info: () => undefined, warn: () => undefined };
  const pixGateway = { ...world.truth.seen(), ...gateway };
  return reconcileOrders({ ...world.stores, pixGateway, logger, metrics: world.metrics }, { ...budget, ms: 1000 });
};

const statusesOf = async ({ promised, stores }: BillingWorld) =>
  Promise.all([...promised].map(async (orderId) => (await stores.orders.find(orderId))?.status));

test('every order gets its turn, also if the first ones can never be compared with the gateway', async () => {
  const world = await worldWithOrders(4);
  const [stuck] = world.truth.payments.keys();
  await world.step({ do: 'wait', minutes: 40 });
  const real = world.truth.seen();
  const read: PixGateway['read'] = async (paymentId) => {
    if (paymentId === stuck) throw new Error('unreadable');
    return real.read(paymentId);
  };
  for (let runs = 0; runs < 4; runs += 1)
    expect((await run(world, { payments: 0, orders: 1 }, { read })).attended).toBe(1);
  expect(await statusesOf(world)).toEqual(['pending', 'expired', 'expired', 'expired']);
  const { oldestOverdueAt } = await run(world, { payments: 0, orders: 0 }, { read });
  expect(oldestOverdueAt).toBe(world.truth.payments.get(stuck ?? '')?.createdAt);
});

test('every payment that has changed is found, however few a run attends to', async () => {
  const world = await worldWithOrders(4);
  await world.step({ do: 'wait', minutes: 40 });
  for (const { orderId = '' } of world.truth.payments.values()) {
    await world.step({ do: 'wait', minutes: 1 });
    world.truth.pay(orderId);
  }
  for (let runs = 0; runs < 4; runs += 1) await run(world, { payments: 1, orders: 0 });
  expect(await statusesOf(world)).toEqual(['paid', 'paid', 'paid', 'paid']);
});
