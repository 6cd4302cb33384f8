/** A process that creates an order crashes at each of its steps, and the request is retried: one order, one charge. */
import { expect, test } from 'vitest';
import { tableInTests } from '../../support/test-table.ts';
import { leftovers, violations } from './billing-oracle.ts';
import { billingWorld, type Step } from './billing-world.ts';
import { type Outcomes, well } from './mortal-process.ts';

const host = await tableInTests();

const failures = {
  'is down': 'an outage of the gateway',
  'is lost': 'the loss of the gateway’s response',
  refuses: 'a refusal by the gateway',
};

/**
 * A request has three writes at most: the claim of the key, and the commit or, after a failed call, the release of the
 * claim.
 */
const deaths: [string, Outcomes][] = [
  ...[1, 2].flatMap((at) =>
    [false, true].map((after): [string, Outcomes] => [
      `a crash ${after ? 'after' : 'before'} its ${at === 1 ? 'first' : 'second'} write`,
      { ...well, crash: { at, after } },
    ]),
  ),
  ...(['is down', 'is lost', 'refuses'] as const).flatMap((gateway) =>
    [2, 99].map((at): [string, Outcomes] => [
      at === 2 ? `a crash between ${failures[gateway]} and the release of its key` : failures[gateway],
      { gateway, crash: { at, after: false } },
    ]),
  ),
];

test.for(deaths)('a repeated request completes an order after %s', async ([, outcomes]) => {
  const world = await billingWorld(host.table);
  const buy: Step = { do: 'buy', buyer: 0, pack: 0, key: 'a', ...well };
  await world.step({ ...buy, ...outcomes });
  await world.step({ do: 'wait', minutes: 1 });
  await world.step(buy);
  expect(world.promised.size).toBe(1);
  expect(world.truth.payments.size).toBe(1);
  await world.step({ do: 'pay', order: 0, how: 'right' });
  await world.settle();
  expect([...(await violations(world)), ...(await leftovers(world))]).toEqual([]);
  expect((await world.stores.accounts.find(world.buyers[0] ?? ''))?.balance).toBe(100);
});

test.for(deaths)('an order request that is not repeated leaves no payable charge after %s', async ([, outcomes]) => {
  const world = await billingWorld(host.table);
  await world.step({ do: 'buy', buyer: 0, pack: 0, key: 'a', ...outcomes });
  await world.settle();
  expect([...(await violations(world)), ...(await leftovers(world))]).toEqual([]);
});
