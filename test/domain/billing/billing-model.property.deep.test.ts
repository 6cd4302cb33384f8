/**
 * Orders, credits and cases agree with the gateway, whatever events are sent, lost, repeated or processed too early.
 */
import * as fc from 'fast-check';
import { test } from 'vitest';
import { modelRuns } from '../../support/model-runs.ts';
import { tableInTests } from '../../support/test-table.ts';
import { leftovers, violations } from './billing-oracle.ts';
import { billingWorld, type Step } from './billing-world.ts';
import { well } from './mortal-process.ts';

const host = await tableInTests();

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
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reconcile'), max: fc.constantFrom(1, 2, 99), ...outcomes }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait'), minutes: fc.constantFrom(1, 11, 31) }) },
);

/** The steps of a group run concurrently. */
const groups = fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 14 });

const ensureNone = (found: readonly string[]): void => {
  if (found.length > 0) throw new Error([...new Set(found)].join('; '));
};

async function agrees(given: readonly (readonly Step[])[]): Promise<void> {
  const world = await billingWorld(host.table);
  for (const group of given) {
    await Promise.all(group.map(world.step));
    ensureNone(await violations(world));
  }
  await world.settle();
  ensureNone([...(await violations(world)), ...(await leftovers(world))]);
}

test('orders, credits and cases always match the payments at the gateway', async () => {
  await fc.assert(fc.asyncProperty(groups, agrees), modelRuns(6));
});

const buy: Step = { do: 'buy', buyer: 0, pack: 0, ...well };
const pay = { do: 'pay', order: 0, how: 'right' } as const satisfies Step;
const notify = (event: number): Step => ({ do: 'notify', payment: 0, event, ...well });
const refund: Step = { do: 'refund', payment: 0, part: false };
const paid = [buy, pay, notify(1)];
/** A process that crashes between the writes of one commit, followed by a retry of its request. */
const dying = [2, 99].map((at): Step => ({ ...buy, key: 'a', crash: { at, after: true } }));

/** Sequences that random groups rarely contain. */
test.for<[string, readonly Step[]]>([
  ['one payment that is reported twice', [...paid, notify(2)]],
  ['a pending payment', [buy, notify(1)]],
  ['a payment of a wrong amount', [buy, { ...pay, how: 'wrong amount' }, notify(1)]],
  ['a payment in another currency', [buy, { ...pay, how: 'wrong currency' }, notify(1)]],
  ['a second payment of one order', [...paid, pay]],
  ['a refund', [...paid, refund, notify(2)]],
  ['a dispute', [...paid, { do: 'dispute', payment: 0 }, notify(2)]],
  ['a dispute that was won after its payment was refunded', [...paid, refund, notify(2), { do: 'win', payment: 0 }]],
  ['a crash during the creation of an order', dying],
])('orders, credits and cases match the payments after %s', ([, steps]) => agrees(steps.map((one) => [one])));
