/** Subscriptions, credits and features against what the gateway knows, whatever is sent, lost, repeated or read too early. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalogStore } from '../../../shared/domain/catalog/catalog-store.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import type { DisputeStep } from '../../support/fake-subscription-gateway.ts';
import { type TestTable, testTable } from '../../support/test-table.ts';
import { type Outcomes, well } from './mortal-process.ts';
import { bugs } from './subscription-bugs.ts';
import { leftovers, violations } from './subscription-oracle.ts';
import { type Mutant, type Step, subscriptionWorld } from './subscription-world.ts';

/** `MODEL_RUNS` makes the runs many, `MODEL_SEED` repeats those of a failure. */
const { MODEL_RUNS, MODEL_SEED } = process.env;
const numRuns = Number(MODEL_RUNS ?? 8);
const seeded = MODEL_SEED === undefined ? {} : { seed: Number(MODEL_SEED) };

let host: TestTable;

beforeAll(async () => {
  host = await testTable();
  await catalogStore(host.table, systemClock, () => ['offline']).change('coupons', {
    coupons: [
      { code: 'HALF', percentOff: 50, duration: 'once' },
      { code: 'FREE', percentOff: 100, duration: 'once' },
      { code: 'ALWAYS', amountOffCents: 1000, duration: 'forever' },
    ],
  });
});
afterAll(() => host.close());

const some = fc.nat(5);
const outcomes: { [Name in keyof Outcomes]: fc.Arbitrary<Outcomes[Name]> } = {
  gateway: fc.constantFrom('responds', 'responds', 'responds', 'is lost', 'is down', 'refuses'),
  crash: fc.record({ at: fc.constantFrom(1, 2, 3, 99, 99, 99), after: fc.boolean() }),
};

const subscribing = fc.record(
  {
    do: fc.constant('subscribe' as const),
    customer: fc.nat(1),
    plan: fc.nat(1),
    billingCycle: fc.constantFrom('monthly', 'monthly', 'annual'),
    couponCode: fc.constantFrom('HALF', 'FREE', 'ALWAYS'),
    key: fc.constantFrom('a', 'b'),
    ...outcomes,
  },
  { requiredKeys: ['do', 'customer', 'plan', 'billingCycle', 'gateway', 'crash'] },
);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: subscribing },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('complete' as const),
      checkout: some,
      how: fc.constantFrom('right', 'right', 'right', 'right', 'wrong amount', 'wrong currency', 'waiting'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('abandon' as const), checkout: some }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('use card' as const),
      checkout: some,
      card: fc.constantFrom('works', 'works', 'fails', 'fails', 'pays too little'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('cancel' as const),
      checkout: some,
      when: fc.constantFrom('now', 'period-end'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('refund' as const), invoice: fc.nat(20), part: fc.boolean() }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('dispute' as const),
      invoice: fc.nat(20),
      becomes: fc.constantFrom('opened', 'opened', 'won', 'lost'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('move anchor' as const, 'move anchor' as const, 'stray' as const),
      checkout: some,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reconcile elsewhere' as const), ...outcomes }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('notify' as const), checkout: some, ...outcomes }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('read ahead' as const), checkout: some }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('apply what was read' as const), ...outcomes }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('reconcile' as const), ...outcomes }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('spend' as const),
      customer: fc.nat(1),
      credits: fc.integer({ min: 1, max: 4000 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('buy a pack' as const), customer: fc.nat(1), ...outcomes }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pay the pack' as const), pack: some, ...outcomes }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('refund the pack' as const), pack: some }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.constantFrom(1, 13, 80, 31 * 24, 100 * 24) }),
  },
);

/** The steps of a group run at the same time. */
const groups = fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 14 });

const ensureNone = (found: readonly string[]): void => {
  if (found.length > 0) throw new Error([...new Set(found)].join('; '));
};

const property = (mutant?: Mutant) =>
  fc.asyncProperty(groups, async (given) => {
    const world = await subscriptionWorld(host.table, mutant);
    for (const group of given) {
      await Promise.all(group.map(world.step));
      ensureNone(await violations(world));
    }
    await world.settle();
    ensureNone([...(await violations(world)), ...(await leftovers(world))]);
  });

test('subscriptions, credits and features always agree with the money that has moved', {
  timeout: 300_000 + numRuns * 5000,
}, async () => {
  await fc.assert(property(), { numRuns, ...seeded });
});

const subscribe: Step = { do: 'subscribe', customer: 0, plan: 0, billingCycle: 'monthly', ...well };
const complete: Step = { do: 'complete', checkout: 0, how: 'right' };
const reconcile: Step = { do: 'reconcile', ...well };
const wait = (days: number): Step => ({ do: 'wait', hours: days * 24 });
/** Processes that die after each of their first writes. */
const dying = [1, 2, 3].map((at): Step => ({ ...reconcile, crash: { at, after: true } }));
const active = [subscribe, complete, reconcile];

const cancelFirst: Step = { do: 'cancel', checkout: 0, when: 'now' };
const yearThenMonth = [
  { ...subscribe, billingCycle: 'annual' } as const,
  complete,
  reconcile,
  cancelFirst,
  reconcile,
  { ...subscribe, plan: 1 },
  { ...complete, checkout: 1 },
  reconcile,
];
const refundSecond: Step = { do: 'refund', invoice: 1, part: false };

test.for<[string, readonly Step[]]>([
  ['is returned', [refundSecond, reconcile]],
  ['ends', [{ ...cancelFirst, checkout: 1 }, reconcile, wait(40)]],
])('a plan that is paid for a year is restored when a later plan %s', async ([, steps]) => {
  await fc.assert(property(), { numRuns: 1, examples: [[[...yearThenMonth, ...steps].map((one) => [one])]] });
});

const disputed = (becomes: DisputeStep): Step => ({ do: 'dispute', invoice: 0, becomes });
const refundFirst: Step = { do: 'refund', invoice: 0, part: false };
const moveAnchor: Step = { do: 'move anchor', checkout: 0 };
const elsewhere = dying.map((one): Step => ({ ...one, do: 'reconcile elsewhere' }) as Step);

/** What each bug breaks, and the steps that show it. */
const foundBy: Readonly<Record<keyof typeof bugs, { readonly breaks: string; readonly by: readonly Step[] }>> = {
  'a period can be credited twice': { breaks: 'more months are credited than were paid', by: [...active, reconcile] },
  'an unpaid checkout is credited': {
    breaks: 'credits without the agreed payment',
    by: [subscribe, { ...complete, how: 'waiting' }, reconcile],
  },
  'a wrong amount is accepted': {
    breaks: 'credits without the agreed payment',
    by: [subscribe, { ...complete, how: 'wrong amount' }, reconcile],
  },
  'features are kept after their end': {
    breaks: 'features are kept after their end',
    by: [...active, { do: 'cancel', checkout: 0, when: 'now' }, wait(40)],
  },
  'features are kept after a lost dispute': {
    breaks: 'features are kept after their end',
    by: [...active, disputed('opened'), reconcile, disputed('lost'), reconcile],
  },
  'a lost dispute counts as an open one': {
    breaks: 'an order counts as paid whose money was returned',
    by: [...active, disputed('opened'), disputed('lost'), reconcile],
  },
  'a dispute opens no case': {
    breaks: 'a dispute without an open case',
    by: [...active, disputed('opened'), reconcile],
  },
  'a dispute that reopens opens no case': {
    breaks: 'a dispute without an open case',
    by: [...active, disputed('opened'), reconcile, disputed('won'), reconcile, disputed('opened'), reconcile],
  },
  'a payment won back in a dispute is ignored': {
    breaks: 'a month that was paid is not credited',
    by: [...active, disputed('opened'), disputed('lost'), reconcile, disputed('won'), reconcile],
  },
  'cases stay open when their reason is gone': {
    breaks: 'a case outlives the return of its payment',
    by: [...active, { ...refundFirst, part: true }, reconcile, refundFirst, reconcile],
  },
  'time that was paid twice opens no case': {
    breaks: 'time that was paid twice without a case',
    by: [...active, wait(10), moveAnchor, reconcile],
  },
  'a payment without an order opens no case': {
    breaks: 'money without an order or a case',
    by: [...active, { do: 'stray', checkout: 0 }, { ...complete, checkout: 1 }, reconcile],
  },
  'a month is credited a second time': {
    breaks: 'more months are credited than were paid',
    by: [{ ...subscribe, billingCycle: 'annual' }, complete, reconcile, wait(40), ...elsewhere, reconcile],
  },
  'the plan of another subscription is not restored': {
    breaks: 'the end of a subscription takes away what another one pays for',
    by: [...yearThenMonth, refundSecond, reconcile],
  },
  'a second subscription can be activated': {
    breaks: 'two subscriptions are active',
    by: [subscribe, subscribe, complete, { ...complete, checkout: 1 }, reconcile],
  },
  'a month is recorded after its credits': {
    breaks: 'more months are credited than were paid',
    by: [{ ...subscribe, billingCycle: 'annual' }, complete, reconcile, wait(40), ...dying, reconcile],
  },
  'a refund takes more than there is': {
    breaks: 'a balance is negative',
    by: [...active, { do: 'spend', customer: 0, credits: 1500 }, { do: 'refund', invoice: 0, part: false }, reconcile],
  },
};

test.for(Object.entries(foundBy))('the subscription model finds a planted bug: %s', async ([name, { by, breaks }]) => {
  const examples: [Step[][]][] = [[by.map((one) => [one])]];
  const { errorInstance } = await fc.check(property(bugs[name as keyof typeof bugs]), {
    numRuns: 1,
    endOnFailure: true,
    examples,
  });
  expect(String(errorInstance)).toContain(breaks);
  // The steps themselves break nothing.
  await fc.assert(property(), { numRuns: 1, examples });
});
