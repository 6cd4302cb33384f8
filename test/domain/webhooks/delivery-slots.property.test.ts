/** Limits on deliveries in flight, on the real table: under concurrency and when workers die. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  deferralSeconds,
  deliveriesPerAccount,
  deliveriesPerHost,
  deliverySlots,
  slowAttemptMs,
  slowMs,
} from '../../../shared/domain/webhooks/delivery-slots.ts';
import { leaseMs } from '../../../shared/domain/webhooks/webhook.ts';
import { type TestTable, testIds, testTable, testTime } from '../../support/test-table.ts';

let host: TestTable;

beforeAll(async () => {
  host = await testTable();
});
afterAll(() => host.close());

const newAccount = () => ({ accountId: testIds.next(), host: `${testIds.next()}.example.com` });
const deliveryOf = (receiver: ReturnType<typeof newAccount>) => ({ ...receiver, worker: testIds.next() });
const times = (count: number) => Array.from({ length: count }, (_, index) => index);
const admitted = (admissions: readonly string[]) => admissions.filter((admission) => admission === 'admitted').length;

const acquireAll = (deliveries: readonly ReturnType<typeof deliveryOf>[], at = testTime) =>
  Promise.all(deliveries.map((delivery) => deliverySlots(host.table).acquire(delivery, at)));

describe('the deliveries of one account in flight', () => {
  test('never exceed the limit, whatever ends, dies or begins concurrently', async () => {
    const step = fc.record({
      begin: fc.integer({ min: 0, max: 12 }),
      end: fc.integer({ min: 0, max: 12 }),
      waitMs: fc.constantFrom(0, 1000, leaseMs / 2),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        const slots = deliverySlots(host.table);
        const account = newAccount();
        let now = testTime;
        let inFlight: { delivery: ReturnType<typeof deliveryOf>; startedAt: number }[] = [];
        for (const { begin, end, waitMs } of steps) {
          now += waitMs;
          // A worker without release has died, and its lease expires.
          inFlight = inFlight.filter(({ startedAt }) => startedAt + leaseMs > now);
          const ending = inFlight.splice(0, end);
          const beginning = times(begin).map(() => deliveryOf(account));
          const startedAt = now;
          const [admissions] = await Promise.all([
            acquireAll(beginning, now),
            ...ending.map((one) => slots.release(one.delivery, one.startedAt, one.startedAt)),
          ]);
          inFlight.push(
            ...beginning.flatMap((delivery, index) =>
              admissions[index] === 'admitted' ? [{ delivery, startedAt }] : [],
            ),
          );
          expect(inFlight.length).toBeLessThanOrEqual(deliveriesPerAccount);
          const free = deliveriesPerAccount - inFlight.length;
          const probes = times(deliveriesPerAccount).map(() => deliveryOf(account));
          const found = await acquireAll(probes, now);
          expect(admitted(found)).toBe(free);
          await Promise.all(
            probes.filter((_, index) => found[index] === 'admitted').map((probe) => slots.release(probe, now, now)),
          );
        }
      }),
      { numRuns: 25 },
    );
  });

  test('are one at a time for a minute after a slow one', async () => {
    const slots = deliverySlots(host.table);
    const account = newAccount();
    const [slow, next, other] = [deliveryOf(account), deliveryOf(account), deliveryOf(account)];
    await slots.acquire(slow, testTime);
    const end = testTime + slowAttemptMs;
    await slots.release(slow, testTime, end);
    expect(await slots.acquire(next, end)).toBe('admitted');
    expect(await slots.acquire(other, end)).toBe('slow');
    expect(await slots.acquire(other, end + slowMs)).toBe('admitted');
  });

  test('neither take slots from other accounts nor slow them down, even at the same host', async () => {
    const attacker = newAccount();
    const attack = times(40).map(() => deliveryOf(attacker));
    expect(admitted(await acquireAll(attack))).toBe(deliveriesPerAccount);
    const slots = deliverySlots(host.table);
    await Promise.all(attack.map((delivery) => slots.release(delivery, testTime, testTime + slowAttemptMs)));
    await acquireAll(attack, testTime + slowAttemptMs);
    const stranger = { accountId: testIds.next(), host: attacker.host };
    const deliveries = times(deliveriesPerAccount).map(() => deliveryOf(stranger));
    expect(admitted(await acquireAll(deliveries, testTime + slowAttemptMs))).toBe(deliveriesPerAccount);
  });
});

test('the deliveries of many accounts to one host stay within its limit, and a rejected one takes no slot', async () => {
  const { host: shared } = newAccount();
  const accounts = times(deliveriesPerHost).map(() => ({ accountId: testIds.next(), host: shared }));
  const deliveries = accounts.flatMap((account) => times(2).map(() => deliveryOf(account)));
  expect(admitted(await acquireAll(deliveries))).toBe(deliveriesPerHost);
  for (const { accountId } of accounts) {
    const elsewhere = { accountId, host: newAccount().host };
    const free = admitted(await acquireAll(times(2).map(() => deliveryOf(elsewhere))));
    expect(free).toBe(2);
  }
});

test('a worker whose response was lost keeps the one slot that it has', async () => {
  const account = newAccount();
  const same = deliveryOf(account);
  const repeats = await acquireAll(times(2 * deliveriesPerAccount).map(() => same));
  expect(admitted(repeats)).toBe(repeats.length);
  const others = times(deliveriesPerAccount).map(() => deliveryOf(account));
  expect(admitted(await acquireAll(others))).toBe(deliveriesPerAccount - 1);
});

test('deferred attempts return after growing delays, and are then left to the sweeper', () => {
  expect(times(6).map((deferrals) => deferralSeconds('full', deferrals))).toEqual([1, 2, 4, 8, 16, undefined]);
  expect(times(2).map((deferrals) => deferralSeconds('slow', deferrals))).toEqual([15, undefined]);
});
