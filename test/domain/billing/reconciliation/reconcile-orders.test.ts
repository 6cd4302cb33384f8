/** One reconciliation of orders is limited, but later ones continue, so that nothing waits forever. */
import { expect, test } from 'vitest';
import { reconcileOrders } from '../../../../shared/domain/billing/reconciliation/reconcile-orders.ts';
import { readSearchState } from '../../../../shared/domain/billing/reconciliation/search-state.ts';
import type { PixGateway } from '../../../../shared/gateways/pix-gateway.ts';
import { tableInTests } from '../../../support/test-table.ts';
import { type BillingWorld, billingWorld, type Step } from '../billing-world.ts';
import { well } from '../mortal-process.ts';

const host = await tableInTests();

const buy: Step = { do: 'buy', buyer: 0, pack: 0, ...well };

async function worldWithOrders(count: number): Promise<BillingWorld> {
  const world = await billingWorld(host.table);
  for (let made = 0; made < count; made += 1) await world.step(buy);
  return world;
}

const limitMs = 1000;

/** A run with a `slow` gateway has time for one order and for one changed payment. */
function run(world: BillingWorld, gateway: Partial<PixGateway> & { readonly isSlow?: true } = {}) {
  const { isSlow, ...given } = gateway;
  const real = { ...world.truth.seen(), ...given };
  let passedMs = 0;
  const pass = () => {
    passedMs += isSlow ? limitMs : 0;
  };
  const pixGateway: PixGateway = {
    ...real,
    read: (paymentId) => real.read(paymentId).finally(pass),
    async *changedSince(at, until, isOver) {
      for await (const found of real.changedSince(at, until, isOver)) {
        yield found;
        pass();
      }
    },
  };
  const logger = { info: () => undefined, warn: () => undefined };
  const clock = { now: () => world.stores.clock.now() + passedMs };
  return reconcileOrders({ ...world.stores, clock, pixGateway, logger, metrics: world.metrics }, limitMs);
}

const nothing: PixGateway['changedSince'] = async function* () {};
const unreadable: PixGateway['read'] = async () => {
  throw new Error('unreadable');
};

const statusesOf = async ({ promised, stores }: BillingWorld) =>
  Promise.all([...promised].map(async (orderId) => (await stores.orders.find(orderId))?.status));

test('reconciliation reaches every order, even if the payment of the first one can never be read from the gateway', async () => {
  const world = await worldWithOrders(4);
  const [stuck] = world.truth.payments.keys();
  await world.step({ do: 'wait', minutes: 40 });
  const real = world.truth.seen();
  const read: PixGateway['read'] = (paymentId) => (paymentId === stuck ? unreadable(paymentId) : real.read(paymentId));
  const slow = { read, changedSince: nothing, isSlow: true } as const;
  for (let runs = 0; runs < 4; runs += 1) expect((await run(world, slow)).handled).toBe(1);
  expect(await statusesOf(world)).toEqual(['pending', 'expired', 'expired', 'expired']);
  const { oldestDueAt } = await run(world, slow);
  expect(oldestDueAt).toBe(world.truth.payments.get(stuck ?? '')?.createdAt);
});

test.for<[string, PixGateway['read'], PixGateway['cancel']]>([
  ['cannot be read', unreadable, async () => undefined],
  ['the gateway does not let be canceled', async () => undefined, async () => undefined],
  ['cannot be canceled', async () => undefined, unreadable as () => Promise<never>],
])(
  'an order whose charge %s expires after a week, and is settled if the charge turns out to be paid',
  async ([, read, cancel]) => {
    const world = await worldWithOrders(1);
    const [payment] = world.truth.payments.values();
    const given = { changedSince: nothing, cancel, ...(read === unreadable && { read }) };
    await world.step({ do: 'wait', minutes: 6 * 24 * 60 });
    await run(world, given);
    expect(await statusesOf(world)).toEqual(['pending']);
    await world.step({ do: 'wait', minutes: 2 * 24 * 60 });
    await run(world, given);
    expect(await statusesOf(world)).toEqual(['expired']);
    expect((await run(world, given)).oldestDueAt).toBeUndefined();
    world.truth.pay(payment?.orderId ?? '');
    await run(world);
    expect(await statusesOf(world)).toEqual(['paid']);
  },
);

/** The payments of these orders are created a minute apart. */
async function paidOrders(count: number): Promise<BillingWorld> {
  const world = await worldWithOrders(count);
  await world.step({ do: 'wait', minutes: 40 });
  for (const { orderId = '' } of world.truth.payments.values()) {
    await world.step({ do: 'wait', minutes: 1 });
    world.truth.pay(orderId);
  }
  return world;
}

test('reconciliation finds every changed payment, however few one run handles', async () => {
  const world = await paidOrders(4);
  // Each run searches the last minutes again, in case a change appears late.
  await world.step({ do: 'wait', minutes: 20 });
  for (let runs = 0; runs < 20; runs += 1) await run(world, { read: unreadable, isSlow: true });
  expect(await statusesOf(world)).toEqual(['paid', 'paid', 'paid', 'paid']);
});

test('an unreadable payment delays neither other payments nor the search for changes, and is retried separately', async () => {
  const world = await paidOrders(3);
  const [subject = ''] = world.truth.payments.keys();
  const real = world.truth.seen();
  const changedSince: PixGateway['changedSince'] = async function* (at, until) {
    for await (const found of real.changedSince(at, until))
      yield 'error' in found || found.paymentId !== subject ? found : { subject, error: new Error('no such status') };
  };
  const { failures } = await run(world, { changedSince, read: unreadable });
  expect(failures.map(({ id }) => id)).toContain(`payment ${subject}`);
  expect(await statusesOf(world)).toEqual(['pending', 'paid', 'paid']);
  expect(await world.stores.orders.searchMark(real.name)).toBe(world.stores.clock.now());
  await world.step({ do: 'wait', minutes: 5 });
  expect(await run(world, { changedSince: nothing })).toMatchObject({ failures: [], postponed: 0 });
  expect(await statusesOf(world)).toEqual(['paid', 'paid', 'paid']);
});

test('an unreadable payment is reported as failing between its retries, which happen several times a day', async () => {
  const world = await worldWithOrders(0);
  const error = new Error('no such status');
  const changedSince: PixGateway['changedSince'] = async function* () {
    yield { subject: '7', error };
  };
  await run(world, { changedSince });
  const tries: number[] = [];
  for (let hours = 0; hours < 48; hours += 3) {
    await world.step({ do: 'wait', minutes: 3 * 60 });
    const { failures, postponed } = await run(world, { changedSince: nothing, read: unreadable });
    expect(failures.length + postponed).toBe(1);
    if (failures.length > 0) tries.push(hours);
  }
  expect(tries.filter((hours) => hours >= 24).length).toBeGreaterThanOrEqual(4);
  expect(await run(world, { changedSince: nothing })).toMatchObject({ postponed: 1 });
  await world.step({ do: 'wait', minutes: 6 * 60 });
  expect(await run(world, { changedSince: nothing })).toMatchObject({ failures: [], postponed: 0 });
});

test('of the charges whose order is not stored, only those that are or can be paid are looked at again', async () => {
  const world = await worldWithOrders(0);
  const { truth } = world;
  const charges = { pending: '', canceled: '', expired: '', failed: '', paid: '' };
  for (const status of ['pending', 'canceled', 'expired', 'failed', 'paid'] as const) {
    const orderId = world.stores.ids.next();
    await truth
      .seen()
      .createCharge({ orderId, cents: 100, description: '', payer: { name: '', email: '' }, expiresAt: 0 });
    const [{ paymentId } = { paymentId: '' }] = truth.paymentsOf(orderId);
    charges[status] = paymentId;
    if (status === 'paid') truth.pay(orderId);
    else if (status !== 'pending') truth.end(paymentId, status);
  }
  expect(truth.payments.size).toBe(5);
  await world.step({ do: 'wait', minutes: 1 });
  await run(world);
  const { postponed } = await readSearchState({ table: host.table }, truth.seen().name);
  expect(new Set(postponed.map(({ subject }) => subject))).toEqual(new Set([charges.pending, charges.paid]));
});
