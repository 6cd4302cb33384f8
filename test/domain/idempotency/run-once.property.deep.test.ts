/** Operations that charge at an external party before their commit, under races, crashes and lost responses. */
import * as fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { Replay } from '../../../shared/domain/idempotency/idempotency.ts';
import { Rejection } from '../../../shared/domain/rejection.ts';
import { modelRuns } from '../../support/model-runs.ts';
import { tableInTests, testTime } from '../../support/test-table.ts';
import { bodyOf, charged, kindOf, leaseMs, type Scenario, type ToyShop, toyShop, well } from './toy-shop.ts';

let shop: ToyShop;

const host = await tableInTests();
beforeEach(() => {
  shop = toyShop(host.table);
});

test('one idempotency key is charged once and returns that charge, despite different bodies, crashes, races and timeouts', async () => {
  const scenario = fc.record(
    {
      diesAt: fc.constantFrom(0, 1, 2, 3, 4, 5, 6, 99, 99, 99),
      outside: fc.constantFrom('responds', 'responds', 'charges and times out', 'times out', 'rejects'),
      toy: fc.constantFrom('robot', 'train'),
      commit: fc.constantFrom('throws', 'is lost', 'conflicts with an older order', 'fails for an unknown reason'),
    },
    { requiredKeys: ['diesAt', 'outside', 'toy'] },
  ) satisfies fc.Arbitrary<Scenario>;
  const waves = fc.array(fc.array(scenario, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(waves, async (requests) => {
      shop = toyShop(host.table);
      await shop.haveOlderOrder();
      const responses: string[] = [];
      for (const wave of requests) {
        const outcomes = await Promise.allSettled(wave.map((one) => shop.buy(one)));
        for (const outcome of outcomes) if (outcome.status === 'fulfilled') responses.push(bodyOf(outcome.value));
        shop.now += leaseMs + 1;
      }
      // An unfinished request can only be completed by a request with the same body.
      const lasts = [
        await shop.buy(well).catch(() => undefined),
        await shop.buy({ ...well, toy: 'train' }).catch(() => undefined),
      ];
      responses.push(...lasts.filter((last) => last !== undefined).map(bodyOf));
      const [charge = ''] = shop.gateway.charges.values();
      expect(shop.gateway.charges.size).toBe(1);
      expect(await shop.orders()).toEqual(['older', charge]);
      expect(new Set(responses)).toEqual(new Set([charged(1, charge.slice(0, -2))]));
    }),
    modelRuns(40),
  );
});

test('a repeated request completes the one that crashed after charging, without a second charge', async () => {
  await shop.buy({ ...well, diesAt: 2 }).catch(() => undefined);
  expect(shop.gateway.charges.size).toBe(1);
  shop.now += leaseMs;
  expect(bodyOf(await shop.buy(well))).toBe(charged(1));
  expect(shop.gateway.charges.size).toBe(1);
});

test('a charge with an unknown outcome can be repeated immediately without a second charge', async () => {
  expect(await kindOf(shop.buy({ ...well, outside: 'charges and times out' }))).toBe('failed');
  expect(bodyOf(await shop.buy(well))).toBe(charged(1));
  expect(shop.gateway.charges.size).toBe(1);
  expect(shop.now).toBe(testTime);
});

test('a rejected request after a charge with an unknown outcome does not allow a second charge', async () => {
  await shop.buy({ ...well, outside: 'charges and times out' }).catch(() => undefined);
  expect(await kindOf(shop.buy({ ...well, outside: 'rejects' }))).toBe('invalid');
  expect(bodyOf(await shop.buy(well))).toBe(charged(1));
  expect(shop.gateway.charges.size).toBe(1);
});

describe('a commit after a charge', () => {
  test.for([
    ['throws', 'failed'],
    ['is lost', 'failed'],
    ['fails for an unknown reason', 'failed'],
    ['conflicts with an older order', 'forbidden'],
  ] as const)('that %s can be repeated immediately without a second charge', async ([commit, kind]) => {
    await shop.haveOlderOrder();
    expect(await kindOf(shop.buy({ ...well, commit }))).toBe(kind);
    expect(bodyOf(await shop.buy(well))).toBe(charged(1));
    expect(shop.gateway.charges.size).toBe(1);
    expect(shop.now).toBe(testTime);
  });

  test.for([
    ['is lost', 'the connection was lost'],
    ['fails for an unknown reason', 'conditions of a transaction failed'],
  ] as const)('that %s fails with its original cause', async ([commit, message]) => {
    for (const key of ['order-1', null]) await expect(shop.buy({ ...well, commit }, key)).rejects.toThrow(message);
  });

  test.for([
    ['with', 'order-1'],
    ['without', null],
  ])('is rejected with the reason of the write that failed, %s an idempotency key', async ([, key]) => {
    await shop.haveOlderOrder();
    const rejection = new Rejection('forbidden', { message: 'The order older is active.' });
    await expect(shop.buy({ ...well, commit: 'conflicts with an older order' }, key)).rejects.toEqual(rejection);
    expect(await shop.orders()).toHaveLength(1);
  });
});

test('the stored response is exactly the one that was sent, without fields that the contract does not declare', async () => {
  const first = await shop.buy(well);
  expect(first).toHaveProperty('secret');
  expect(await shop.buy(well)).toMatchObject({ response: { status: 201, body: bodyOf(first) } });
});

test('a rejected request leaves nothing behind, and its key can be used for a new one', async () => {
  expect(await kindOf(shop.buy({ ...well, outside: 'rejects' }))).toBe('invalid');
  expect(await shop.orders()).toEqual([]);
  expect((await shop.buy(well)) instanceof Replay).toBe(false);
  expect((await shop.buy(well)) instanceof Replay).toBe(true);
});

test('a key returns its stored response for 24 hours and then allows a new charge', async () => {
  await shop.buy(well);
  shop.now += 24 * 3_600_000 - 1;
  expect((await shop.buy(well)) instanceof Replay).toBe(true);
  shop.now += 1;
  expect(bodyOf(await shop.buy(well))).toBe(charged(2));
});

test('a request without an idempotency key is executed each time', async () => {
  const bodies = [await shop.buy(well, null), await shop.buy(well, null)].map(bodyOf);
  expect(bodies).toEqual([charged(1), charged(2)]);
});
