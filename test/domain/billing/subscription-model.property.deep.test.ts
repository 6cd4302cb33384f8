/**
 * Subscriptions, credits and features agree with the gateway, whatever is sent, lost, repeated or processed too early.
 */
import * as fc from 'fast-check';
import { test } from 'vitest';
import { catalogStore } from '../../../shared/domain/catalog/catalog-store.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import type { DisputeStep } from '../../support/fake-subscription-gateway.ts';
import { modelRuns } from '../../support/model-runs.ts';
import { tableInTests } from '../../support/test-table.ts';
import { type Outcomes, well } from './mortal-process.ts';
import { leftovers, violations } from './subscription-oracle.ts';
import { type Step, subscriptionWorld } from './subscription-world.ts';

const runs = modelRuns(5);

const host = await tableInTests();
await catalogStore(host.table, systemClock, () => ['offline']).change('coupons', {
  coupons: [
    { code: 'HALF', percentOff: 50, duration: 'once' },
    { code: 'FREE', percentOff: 100, duration: 'once' },
    { code: 'ALWAYS', amountOffCents: 1000, duration: 'forever' },
  ],
});

const some = fc.nat(5);
const disputeStep: fc.Arbitrary<DisputeStep> = fc.constantFrom('opened', 'opened', 'won', 'lost');
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
    arbitrary: fc.record({
      do: fc.constant('refund' as const),
      invoice: fc.nat(20),
      share: fc.constantFrom(1, 1, 0.01, 0.5, 0.9),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fail refunds' as const), invoice: fc.nat(20) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('dispute' as const),
      invoice: fc.nat(20),
      becomes: disputeStep,
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

/** The steps of a group run concurrently. */
const groups = fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 14 });

const ensureNone = (found: readonly string[]): void => {
  if (found.length > 0) throw new Error([...new Set(found)].join('; '));
};

async function agrees(given: readonly (readonly Step[])[]): Promise<void> {
  const world = await subscriptionWorld(host.table);
  for (const group of given) {
    await Promise.all(group.map(world.step));
    ensureNone(await violations(world));
  }
  await world.settle();
  ensureNone([...(await violations(world)), ...(await leftovers(world))]);
}

test('subscriptions, credits and features always match the payments at the gateway', {
  timeout: 300_000 + runs.numRuns * 5000,
}, async () => {
  await fc.assert(fc.asyncProperty(groups, agrees), runs);
});

const subscribe: Step = { do: 'subscribe', customer: 0, plan: 0, billingCycle: 'monthly', ...well };
const complete: Step = { do: 'complete', checkout: 0, how: 'right' };
const reconcile: Step = { do: 'reconcile', ...well };
const cancelFirst: Step = { do: 'cancel', checkout: 0, when: 'now' };
const refund = (invoice: number, share = 1): Step => ({ do: 'refund', invoice, share });
const failRefunds: Step = { do: 'fail refunds', invoice: 0 };
const disputed = (becomes: DisputeStep): Step => ({ do: 'dispute', invoice: 0, becomes });
const wait = (days: number): Step => ({ do: 'wait', hours: days * 24 });
/** Processes that crash after each of their first writes. */
const dying = [1, 2, 3].map((at): Step => ({ ...reconcile, crash: { at, after: true } }));
const elsewhere = dying.map((one): Step => ({ ...one, do: 'reconcile elsewhere' }) as Step);
const active = [subscribe, complete, reconcile];
const activeYear = [{ ...subscribe, billingCycle: 'annual' } as const, complete, reconcile];
/** Further months of the year begin. */
const months = [wait(40), reconcile, wait(40), reconcile];
const disputedYear = [...activeYear, disputed('opened'), reconcile, ...months];
const yearThenMonth = [
  ...activeYear,
  cancelFirst,
  reconcile,
  { ...subscribe, plan: 1 },
  { ...complete, checkout: 1 },
  reconcile,
];

/** What decides which months of a paid year are granted. */
const yearStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('dispute' as const), invoice: fc.nat(1), becomes: disputeStep }),
  fc.record({ do: fc.constant('refund' as const), invoice: fc.nat(1), share: fc.constantFrom(0.01, 0.5, 0.9) }),
  fc.record({ do: fc.constant('wait' as const), hours: fc.constantFrom(31 * 24, 100 * 24) }),
  fc.record({ do: fc.constant('reconcile' as const), ...outcomes }),
  fc.record({ do: fc.constant('notify' as const), checkout: fc.constant(0), ...outcomes }),
  fc.constantFrom<Step>(
    cancelFirst,
    reconcile,
    { do: 'read ahead', checkout: 0 },
    { do: 'apply what was read', ...well },
  ),
);
const yearGroups = fc.array(fc.array(yearStep, { minLength: 1, maxLength: 2 }), { minLength: 4, maxLength: 14 });

test('the months of a paid year are granted unless it is disputed, or canceled and refunded in part', {
  timeout: 300_000 + runs.numRuns * 5000,
}, async () => {
  const begun = activeYear.map((one) => [one]);
  await fc.assert(
    fc.asyncProperty(yearGroups, (given) => agrees([...begun, ...given])),
    runs,
  );
});

/** Sequences that random groups rarely contain. */
test.for<[string, readonly Step[]]>([
  ['an unpaid checkout', [subscribe, { ...complete, how: 'waiting' }, reconcile]],
  ['a payment of a wrong amount', [subscribe, { ...complete, how: 'wrong amount' }, reconcile]],
  ['a repeated reconciliation', [...active, reconcile]],
  ['a cancellation and the end of the paid period', [...active, cancelFirst, wait(40)]],
  ['a lost dispute', [...active, disputed('opened'), reconcile, disputed('lost'), reconcile]],
  ['a dispute that was lost before it was reported', [...active, disputed('opened'), disputed('lost'), reconcile]],
  [
    'a dispute that was won and reopened',
    [...active, ...(['opened', 'won', 'opened'] as const).flatMap((becomes) => [disputed(becomes), reconcile])],
  ],
  [
    'a dispute that was lost and later won',
    [...active, disputed('opened'), disputed('lost'), reconcile, disputed('won'), reconcile],
  ],
  ['a partial and then a full refund', [...active, refund(0, 0.01), reconcile, refund(0), reconcile]],
  [
    'a partial refund as large as one before refunds that failed',
    [
      ...active,
      ...[refund(0, 0.01), refund(0), failRefunds, refund(0, 0.01), wait(31)].flatMap((one) => [one, reconcile]),
    ],
  ],
  ['a refund of spent credits', [...active, { do: 'spend', customer: 0, credits: 1500 }, refund(0), reconcile]],
  ['two payments for overlapping periods', [...active, wait(10), { do: 'move anchor', checkout: 0 }, reconcile]],
  ['a payment without an order', [...active, { do: 'stray', checkout: 0 }, { ...complete, checkout: 1 }, reconcile]],
  ['crashes in a later month of a paid year', [...activeYear, wait(40), ...dying, reconcile]],
  ['crashes under another gateway in a later month of a paid year', [...activeYear, wait(40), ...elsewhere, reconcile]],
  ['months of a paid year that began during a dispute', disputedYear],
  ['months of a paid year whose dispute was won, and crashes', [...disputedYear, disputed('won'), ...dying, reconcile]],
  ['months of a paid year whose dispute was lost', [...disputedYear, disputed('lost'), reconcile, ...months]],
  ['a dispute of a canceled year that was won', [...disputedYear, cancelFirst, reconcile, disputed('won'), reconcile]],
  [
    'a partial refund and the cancellation of a year',
    [...activeYear, refund(0, 0.8), cancelFirst, reconcile, ...months],
  ],
  [
    'the cancellation and then a partial refund of a year',
    [...activeYear, cancelFirst, reconcile, refund(0, 0.8), reconcile, ...months, wait(100), reconcile],
  ],
  ['a partial refund of a year that goes on', [...activeYear, refund(0, 0.8), reconcile, ...months]],
  ['two paid checkouts of one account', [subscribe, subscribe, complete, { ...complete, checkout: 1 }, reconcile]],
  ['the refund of a monthly plan after a canceled annual one', [...yearThenMonth, refund(1), reconcile]],
  [
    'the end of a monthly plan after a canceled annual one',
    [...yearThenMonth, { ...cancelFirst, checkout: 1 }, reconcile, wait(40)],
  ],
])('subscriptions, credits and features match the payments after %s', ([, steps]) => agrees(steps.map((one) => [one])));
