/** Requests whose key another request holds: they wait for it, take the key over, or lose it themselves. */
import { beforeEach, describe, expect, test } from 'vitest';
import { Replay } from '../../../shared/domain/idempotency/idempotency.ts';
import { idempotencyStore } from '../../../shared/domain/idempotency/idempotency-store.ts';
import { tableInTests, testTime } from '../../support/test-table.ts';
import { bodyOf, charged, contract, kindOf, leaseMs, type Scenario, type ToyShop, toyShop, well } from './toy-shop.ts';

let shop: ToyShop;

const host = await tableInTests();
beforeEach(() => {
  shop = toyShop(host.table);
});

describe('a repeated request while the first one is in progress', () => {
  /** Leaves a claim behind, like a process that is still working or has crashed. */
  const claim = () => shop.buy({ ...well, diesAt: 1 }).catch(() => undefined);

  test('waits five seconds and is then rejected with the time after which to retry', async () => {
    await claim();
    const error: unknown = await shop.buy(well).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ kind: 'in-progress', details: { retryAfterSeconds: 1 } });
    expect(shop.now - testTime).toBe(5000);
    expect(shop.gateway.charges.size).toBe(0);
  });

  test('finds no stored response', async () => {
    await claim();
    const scope = { accountId: shop.accountId, operationId: contract.operationId, key: 'order-1' };
    expect(await idempotencyStore(host.table).find(scope, shop.now)).toBeUndefined();
  });

  test('takes over the idempotency key immediately once the claim of the first one has expired', async () => {
    await claim();
    shop.now += leaseMs;
    expect(bodyOf(await shop.buy(well))).toBe(charged(1));
    expect(shop.now).toBe(testTime + leaseMs);
  });

  test('waits for a request that has taken over the key, just as for the first one', async () => {
    await claim();
    shop.now += leaseMs;
    await shop.buy({ ...well, diesAt: 2 }).catch(() => undefined);
    expect(await kindOf(shop.buy(well))).toBe('in-progress');
    expect(shop.gateway.charges.size).toBe(0);
  });

  test('also waits if its body differs from that of the first one', async () => {
    await claim();
    expect(await kindOf(shop.buy({ ...well, toy: 'train' }))).toBe('in-progress');
  });
});

test('a request whose claim of its idempotency key was sent twice recognizes the claim as its own, and does not wait', async () => {
  expect(bodyOf(await shop.buy({ ...well, claimsAgain: true }))).toBe(charged(1));
  expect(shop.now).toBe(testTime);
});

test('a request whose claim of the idempotency key was taken over gets the response of the request that took it over', async () => {
  const bodies: string[] = [];
  const takeOver = async () => {
    shop.now += leaseMs;
    bodies.push(bodyOf(await shop.buy(well)));
  };
  const late = await shop.buy({ ...well, meanwhile: takeOver });
  expect(late).toBeInstanceOf(Replay);
  expect([...bodies, bodyOf(late)]).toEqual([charged(1), charged(1)]);
  expect(await shop.orders()).toHaveLength(1);
});

describe('a request that reuses a key with a different body', () => {
  const train: Scenario = { ...well, toy: 'train' };

  test('is rejected while the outcome of the first is unknown, and the first can still be completed', async () => {
    await shop.buy({ ...well, outside: 'charges and times out' }).catch(() => undefined);
    const error: unknown = await shop.buy(train).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ kind: 'other-body', details: { message: expect.stringMatching(/different body/) } });
    expect(error).not.toHaveProperty('details.retryAfterSeconds');
    expect(bodyOf(await shop.buy(well))).toBe(charged(1));
    expect(shop.gateway.charges.size).toBe(1);
  });

  test('gets the stored response if there is one', async () => {
    await shop.buy(well);
    expect(bodyOf(await shop.buy(train))).toBe(charged(1));
  });

  test('can use the key if the first request was rejected', async () => {
    await shop.buy({ ...well, outside: 'rejects' }).catch(() => undefined);
    expect(bodyOf(await shop.buy(train))).toBe(charged(1, 'train'));
  });
});
