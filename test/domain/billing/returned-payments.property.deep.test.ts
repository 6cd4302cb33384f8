/** Payments that are returned while their credits are in open tasks, with concurrent and crashing processes. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { modelRuns } from '../../support/model-runs.ts';
import { type TestTable, testTable } from '../../support/test-table.ts';
import { leftovers, violations } from './billing-oracle.ts';
import { billingWorld, type Step } from './billing-world.ts';
import { well } from './mortal-process.ts';

let host: TestTable;

beforeAll(async () => {
  host = await testTable();
});
afterAll(() => host.close());

const payment = fc.nat(2);
const event = fc.nat(99);
const crash = fc.record({ at: fc.constantFrom(1, 2, 99, 99, 99, 99), after: fc.boolean() });

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('start'), buyer: fc.constant(0), credits: fc.constantFrom(30, 100), crash }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('end task'), task: fc.nat(9), isFailed: fc.boolean(), crash }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('refund'), payment, part: fc.constant(false) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('win'), payment }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('notify'), payment, event, gateway: fc.constant('responds'), crash }),
  },
);

/** The steps of a group run concurrently, each after the payments of three packs and the start of tasks. */
const plans = fc.record({
  bought: fc.integer({ min: 1, max: 3 }),
  started: fc.array(fc.constantFrom(30, 100), { minLength: 1, maxLength: 4 }),
  groups: fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { minLength: 3, maxLength: 10 }),
});

const buy: Step = { do: 'buy', buyer: 0, pack: 0, ...well };
const bought = (order: number): Step[] => [
  buy,
  { do: 'pay', order, how: 'right' },
  { do: 'notify', payment: order, event: 100 + order, ...well },
];
const start = (credits: number): Step => ({ do: 'start', buyer: 0, credits, crash: well.crash });

test('credits of returned payments are recovered from refunds of failed tasks, and only completed tasks leave any missing', async () => {
  let takenFromTasks = 0;
  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      const world = await billingWorld(host.table);
      const opening = Array.from({ length: plan.bought }, (_, order) => bought(order));
      for (const one of [...opening.flat(), ...plan.started.map(start)]) await world.step(one);
      for (const group of plan.groups) {
        await Promise.all(group.map(world.step));
        expect(await violations(world)).toEqual([]);
      }
      await world.settle();
      expect([...(await violations(world)), ...(await leftovers(world))]).toEqual([]);
      const rows = await world.stores.ledger.list(world.buyers[0] ?? '', { limit: 1000, offset: 0 });
      const taken = rows.filter(({ reason, amount }) => reason === 'refund' && amount < 0);
      if (new Set(taken.map(({ orderId }) => orderId)).size < taken.length) takenFromTasks += 1;
    }),
    modelRuns(15),
  );
  expect(takenFromTasks).toBeGreaterThan(0);
});

const numbers = Array.from({ length: 14 }, (_, number) => number);
const returned = numbers.map((payment): Step[] => [
  { do: 'refund', payment, part: false },
  { do: 'notify', payment, event: 200 + payment, ...well },
]);
const ended = numbers.map((task): Step[] => [{ do: 'end task', task, isFailed: task > 0, crash: well.crash }]);
const inAnyOrder = (events: readonly Step[][]) => fc.shuffledSubarray([...events], { minLength: events.length });
/** Two tasks end while the payments are returned, the others later, and some events happen at the same time. */
const manyEvents = fc
  .tuple(inAnyOrder([...returned, ...ended.slice(0, 2)]), inAnyOrder([...ended.slice(2), [start(30)], [start(100)]]))
  .map((parts) => parts.flat());

test('credits of many returned payments are recovered from the refunds of all tasks that fail meanwhile or later', async () => {
  await fc.assert(
    fc.asyncProperty(manyEvents, fc.integer({ min: 1, max: 4 }), async (events, atOnce) => {
      const world = await billingWorld(host.table);
      for (const one of [...numbers.flatMap(bought), ...numbers.map(() => start(100))]) await world.step(one);
      for (let done = 0; done < events.length; done += atOnce) {
        const group = events.slice(done, done + atOnce);
        await Promise.all(
          group.map(async (steps) => {
            for (const one of steps) await world.step(one);
          }),
        );
        expect(await violations(world)).toEqual([]);
      }
      await world.settle();
      expect([...(await violations(world)), ...(await leftovers(world))]).toEqual([]);
    }),
    modelRuns(3),
  );
});
