/** Orders, credits and cases against what the gateway knows, whatever is sent, lost, repeated or read too early. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Action, Item, Table } from '../../../shared/platform/dynamo-table.ts';
import { type TestTable, testTable } from '../../support/test-table.ts';
import { leftovers, violations } from './billing-oracle.ts';
import { billingWorld, type Mutant, type Step } from './billing-world.ts';
import { well } from './mortal-process.ts';

/** `MODEL_RUNS` makes the runs many, `MODEL_SEED` repeats those of a failure. */
const { MODEL_RUNS, MODEL_SEED } = process.env;
const seeded = MODEL_SEED === undefined ? {} : { seed: Number(MODEL_SEED) };

let host: TestTable;

beforeAll(async () => {
  host = await testTable();
});
afterAll(() => host.close());

const some = fc.nat(5);
const gateway = fc.constantFrom('responds', 'responds', 'responds', 'is lost', 'is down', 'refuses');
const crash = fc.record({ at: fc.constantFrom(1, 2, 3, 99, 99, 99), after: fc.boolean() });
const outcomes = { gateway, crash };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record(
      { do: fc.constant('buy'), buyer: some, pack: fc.nat(1), key: fc.constantFrom('a', 'b'), ...outcomes },
      { requiredKeys: ['do', 'buyer', 'pack', 'gateway', 'crash'] },
    ),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('pay'),
      order: some,
      how: fc.constantFrom('right', 'right', 'right', 'wrong amount', 'wrong currency'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('refund'), payment: some, part: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('end'),
      payment: some,
      status: fc.constantFrom('expired', 'canceled', 'failed'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('dispute', 'win'), payment: some }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('notify'), payment: some, event: some, ...outcomes }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('read ahead'), payment: some }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('apply what was read'), crash }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('spend'), buyer: some, credits: fc.integer({ min: 1, max: 600 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reconcile'), most: fc.constantFrom(1, 2, 99), ...outcomes }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait'), minutes: fc.constantFrom(1, 11, 31) }) },
);

/** The steps of a group run at the same time. */
const groups = fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 14 });

const ensureNone = (found: readonly string[]): void => {
  if (found.length > 0) throw new Error([...new Set(found)].join('; '));
};

const property = (mutant?: Mutant) =>
  fc.asyncProperty(groups, async (given) => {
    const world = await billingWorld(host.table, mutant);
    for (const group of given) {
      await Promise.all(group.map(world.step));
      ensureNone(await violations(world));
    }
    await world.settle();
    ensureNone([...(await violations(world)), ...(await leftovers(world))]);
  });

test('orders, credits and cases always agree with the money that has moved', async () => {
  await fc.assert(property(), { numRuns: Number(MODEL_RUNS ?? 10), ...seeded });
});

type Update = NonNullable<Action['Update']>;

const transacting =
  (change: (actions: readonly Action[]) => readonly Action[]) =>
  (table: Table): Table => ({
    ...table,
    async transact(actions) {
      const changed = change(actions);
      if (changed.length > 0) await table.transact(changed);
    },
  });

const isOf = (kind: string, key: Readonly<Record<string, unknown>> | undefined): boolean =>
  String(key?.pk).startsWith(`${kind}#`);

/** Conditions that hold of any order. */
const unconditional = ({
  ExpressionAttributeValues = {},
  ExpressionAttributeNames = {},
  ...update
}: Update): Update => {
  const { ':from': _from, ...values } = ExpressionAttributeValues;
  const { '#status': _status, ...names } = ExpressionAttributeNames;
  return {
    ...update,
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
  };
};

/** What was first read of each order. */
const firstReads = new Map<string, Item>();

/** The first look of each process at an order finds it as it was first read, as another process may that looks meanwhile. */
function lookingBack(table: Table): Table {
  let looks = 0;
  return {
    ...table,
    async get(key) {
      const item = await table.get(key);
      if (!item || !isOf('ORDER', { ...key })) return item;
      looks += 1;
      const first = firstReads.get(key.pk) ?? item;
      firstReads.set(key.pk, first);
      return looks === 1 ? first : item;
    },
  };
}

const changingAnyOrder = transacting((actions) =>
  actions.map((action) =>
    action.Update && isOf('ORDER', action.Update.Key) ? { Update: unconditional(action.Update) } : action,
  ),
);

const bugs = {
  'an order can be credited twice': { table: (table) => changingAnyOrder(lookingBack(table)) },
  'a pending payment counts as paid': {
    gateway: (real) => ({
      ...real,
      async read(paymentId) {
        const payment = await real.read(paymentId);
        return payment?.status === 'pending' ? { ...payment, status: 'paid' } : payment;
      },
    }),
  },
  'a wrong amount is accepted': {
    gateway: (real) => ({
      ...real,
      async read(paymentId) {
        const payment = await real.read(paymentId);
        return payment?.cents === 1 ? { ...payment, cents: 1490 } : payment;
      },
    }),
  },
  'the amount that is compared is one cent off': {
    gateway: (real) => ({
      ...real,
      async read(paymentId) {
        const payment = await real.read(paymentId);
        return payment && { ...payment, cents: payment.cents + 1 };
      },
      async *changedSince(at, until) {
        for await (const found of real.changedSince(at, until))
          yield 'error' in found ? found : { ...found, cents: found.cents + 1 };
      },
    }),
  },
  'another currency is accepted': {
    gateway: (real) => ({
      ...real,
      async read(paymentId) {
        const payment = await real.read(paymentId);
        return payment && { ...payment, currency: 'BRL' };
      },
    }),
  },
  'a refund leaves the credits': {
    table: transacting((actions) => {
      const isRefund = actions.some(({ Put }) => Put?.Item?.reason === 'refund');
      return isRefund ? actions.filter(({ Put, Update }) => !Put && !isOf('ACCOUNT', Update?.Key)) : actions;
    }),
  },
  'credits are added without a row in the ledger': {
    table: transacting((actions) => actions.filter(({ Put }) => Put?.Item?.reason !== 'purchase')),
  },
  'the order is stored after the response to its key': {
    table: (table) => ({
      ...table,
      async transact(actions) {
        const isOrder = ({ Put }: Action) => isOf('ORDER', Put?.Item);
        const [orders, others] = [actions.filter(isOrder), actions.filter((action) => !isOrder(action))];
        if (others.length > 0) await table.transact(others);
        if (orders.length > 0) await table.transact(orders);
      },
    }),
  },
  'a second payment is ignored': {
    table: transacting((actions) => actions.filter(({ Put }) => Put?.Item?.kind !== 'second-payment')),
  },
  'a dispute takes the credits': {
    gateway: (real) => ({
      ...real,
      async read(paymentId) {
        const payment = await real.read(paymentId);
        return payment?.status === 'disputed' ? { ...payment, status: 'refunded' } : payment;
      },
    }),
  },
  'a payment won back in a dispute is ignored': {
    table: transacting((actions) => actions.filter(({ Put }) => Put?.Item?.kind !== 'payment-after-refund')),
  },
} as const satisfies Record<string, Mutant>;

const buy: Step = { do: 'buy', buyer: 0, pack: 0, ...well };
const pay = { do: 'pay', order: 0, how: 'right' } as const satisfies Step;
const notify = (event: number): Step => ({ do: 'notify', payment: 0, event, ...well });
const refund: Step = { do: 'refund', payment: 0, part: false };

interface Found {
  readonly breaks: string;
  /** Its first runs show the bug. */
  readonly seed?: number;
  /** Groups of steps that show it. */
  readonly steps?: Step[][];
}

/** What each bug breaks, and how it is found. */
const foundBy: Readonly<Record<keyof typeof bugs, Found>> = {
  'an order can be credited twice': {
    steps: [[buy], [pay], [notify(1)], [notify(2)]],
    breaks: 'an order is credited twice',
  },
  'a dispute takes the credits': {
    steps: [[buy], [pay], [notify(1)], [{ do: 'dispute', payment: 0 }], [notify(2)]],
    breaks: 'a dispute took credits',
  },
  'a payment won back in a dispute is ignored': {
    steps: [[buy], [pay], [notify(1)], [refund], [notify(2)], [{ do: 'win', payment: 0 }]],
    breaks: 'a payment that was won back without a case',
  },
  'a pending payment counts as paid': { seed: 1, breaks: 'an order is credited without the agreed payment' },
  'a wrong amount is accepted': {
    steps: [[buy], [{ ...pay, how: 'wrong amount' }], [notify(1)]],
    breaks: 'an order is credited without the agreed payment',
  },
  'the amount that is compared is one cent off': { seed: 1, breaks: 'an order that was paid as agreed has no credits' },
  'another currency is accepted': {
    steps: [[buy], [{ ...pay, how: 'wrong currency' }], [notify(1)]],
    breaks: 'an order is credited without the agreed payment',
  },
  'a refund leaves the credits': {
    steps: [[buy], [pay], [notify(1)], [refund], [notify(2)]],
    breaks: 'returned money leaves credits that no case mentions',
  },
  'credits are added without a row in the ledger': { seed: 1, breaks: 'a balance is not the sum of its ledger' },
  'the order is stored after the response to its key': { seed: 1, breaks: 'a promised order does not exist' },
  'a second payment is ignored': {
    steps: [[buy], [pay], [notify(1)], [pay]],
    breaks: 'money without credits or a case',
  },
};

/** A process that dies between two writes of one commit, and the repeat of its request. */
const diesWhileCommitting: Step[][] = [2, 99].map((at) => [
  { do: 'buy', buyer: 0, pack: 0, key: 'a', gateway: 'responds', crash: { at, after: true } },
]);

test.for(Object.entries(foundBy))(
  'the billing model finds a planted bug: %s',
  async ([name, { seed, steps, breaks }]) => {
    const examples: [Step[][]][] = [[steps ?? diesWhileCommitting]];
    const options = { numRuns: 100, endOnFailure: true, examples, ...(seed !== undefined && { seed }) };
    const { errorInstance } = await fc.check(property(bugs[name as keyof typeof bugs]), options);
    expect(String(errorInstance)).toContain(breaks);
  },
);
