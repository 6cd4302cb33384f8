/**
 * A process that applies an event of either gateway crashes at each of its writes, and the event is delivered again.
 */
import { describe, expect, test } from 'vitest';
import { tableInTests } from '../../support/test-table.ts';
import { violations } from './billing-oracle.ts';
import { billingWorld, type Step } from './billing-world.ts';
import { type Crash, well } from './mortal-process.ts';
import { violations as subscriptionViolations } from './subscription-oracle.ts';
import { type Step as SubscriptionStep, soldPlans, subscriptionWorld } from './subscription-world.ts';

const host = await tableInTests();

const when = ({ at, after }: Crash): string =>
  `${after ? 'after' : 'before'} the ${at === 1 ? 'first' : 'second'} write`;

describe('a pack event whose processing crashed is applied once when it is redelivered:', () => {
  const buy: Step = { do: 'buy', buyer: 0, pack: 0, ...well };
  const pay: Step = { do: 'pay', order: 0, how: 'right' };
  const notify: Step = { do: 'notify', payment: 0, event: 1, ...well };
  const refund: Step = { do: 'refund', payment: 0, part: false };
  const given: (readonly [string, readonly Step[], Step, number])[] = [
    ['the payment', [buy, pay], notify, 100],
    ['a second payment', [buy, pay, notify, pay], { ...notify, payment: 1, event: 2 }, 100],
    ['a payment of a wrong amount', [buy, { ...pay, how: 'wrong amount' }], notify, 0],
    ['the refund', [buy, pay, notify, refund], { ...notify, event: 2 }, 0],
    ['the refund of a payment that was never reported', [buy, pay, refund], notify, 0],
  ];
  const deaths: readonly Crash[] = [false, true].map((after) => ({ at: 1, after }));
  test.for(
    given.flatMap(([name, ...rest]) =>
      deaths.map((crash) => [`${name} (crash ${when(crash)})`, ...rest, crash] as const),
    ),
  )('%s', async ([, steps, event, credits, crash]) => {
    const world = await billingWorld(host.table);
    for (const step of [...steps, { ...event, crash } as Step, event]) await world.step(step);
    expect(await violations(world)).toEqual([]);
    expect((await world.stores.accounts.find(world.buyers[0] ?? ''))?.balance).toBe(credits);
  });
});

describe('a subscription event whose processing crashed is applied once when it is redelivered:', () => {
  const subscribe: SubscriptionStep = { do: 'subscribe', customer: 0, plan: 0, billingCycle: 'monthly', ...well };
  const complete: SubscriptionStep = { do: 'complete', checkout: 0, how: 'right' };
  const notify: SubscriptionStep = { do: 'notify', checkout: 0, ...well };
  const active = [subscribe, complete, notify];
  const given: (readonly [string, readonly SubscriptionStep[], number])[] = [
    ['the first payment', [subscribe, complete], 1],
    ['the first payment while another checkout is open', [subscribe, { ...subscribe, plan: 1 }, complete], 1],
    ['a renewal', [...active, { do: 'wait', hours: 32 * 24 }], 2],
    ['the end of the subscription', [...active, { do: 'cancel', checkout: 0, when: 'now' }], 1],
    ['a refund', [...active, { do: 'refund', invoice: 0, share: 1 }], 0],
    ['a dispute', [...active, { do: 'dispute', invoice: 0, becomes: 'opened' }], 1],
  ];
  const deaths: readonly Crash[] = [1, 2].map((at) => ({ at, after: true }));
  test.for(
    given.flatMap(([name, ...rest]) =>
      deaths.map((crash) => [`${name} (crash ${when(crash)})`, ...rest, crash] as const),
    ),
  )('%s', async ([, steps, months, crash]) => {
    const world = await subscriptionWorld(host.table);
    for (const step of [...steps, { ...notify, crash } as SubscriptionStep, notify]) await world.step(step);
    expect(await subscriptionViolations(world)).toEqual([]);
    const account = await world.stores.accounts.find(world.customers[0] ?? '');
    expect(account?.balance).toBe(months * (soldPlans[0]?.credits ?? 0));
  });
});
