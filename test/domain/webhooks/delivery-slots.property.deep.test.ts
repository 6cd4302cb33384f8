/** Limits on concurrent deliveries, on the real table: under concurrency and when workers crash. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { slotsKey } from '../../../shared/domain/keys.ts';
import {
  deferralSeconds,
  deliveriesPerAccount,
  deliveriesPerHost,
  deliverySlots,
  slowAttemptMs,
  slowDeliveriesPerHost,
  slowHostsPerAccount,
  slowMs,
} from '../../../shared/domain/webhooks/delivery-slots.ts';
import { leaseMs } from '../../../shared/domain/webhooks/webhook.ts';
import { tableInTests, testIds, testTime } from '../../support/test-table.ts';

const host = await tableInTests();

const newAccount = () => ({ accountId: testIds.next(), host: `${testIds.next()}.example.com` });
const deliveryOf = (receiver: ReturnType<typeof newAccount>) => ({ ...receiver, worker: testIds.next() });
const times = (count: number) => Array.from({ length: count }, (_, index) => index);
const admitted = (admissions: readonly string[]) => admissions.filter((admission) => admission === 'admitted').length;

const acquireAll = (deliveries: readonly ReturnType<typeof deliveryOf>[], at = testTime) =>
  Promise.all(deliveries.map((delivery) => deliverySlots(host.table).acquire(delivery, at)));

describe('the concurrent webhook deliveries of one account', () => {
  test('never exceed the limit, whatever starts, ends or crashes', async () => {
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
          // A worker that does not release its slot has crashed, and its lease expires.
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

  test('to a slow host are one at a time and never slow down those to a fast host', async () => {
    const step = fc.record({
      slow: fc.integer({ min: 0, max: 4 }),
      fast: fc.integer({ min: 0, max: 4 }),
      takesMs: fc.constantFrom(slowAttemptMs, 2 * slowAttemptMs),
      waitMs: fc.constantFrom(0, 1000, slowMs / 2, slowMs - 1),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
        const slots = deliverySlots(host.table);
        const silent = newAccount();
        const fast = { ...newAccount(), accountId: silent.accountId };
        let now = testTime;
        let slowUntil = 0;
        for (const { slow, fast: count, takesMs, waitMs } of steps) {
          const startedAt = now;
          const toSilent = times(slow).map(() => deliveryOf(silent));
          const found = await acquireAll(toSilent, startedAt);
          expect(admitted(found)).toBe(startedAt < slowUntil ? Math.min(1, slow) : slow);
          const toFast = times(count).map(() => deliveryOf(fast));
          const free = deliveriesPerAccount - admitted(found);
          const foundFast = await acquireAll(toFast, startedAt);
          expect(foundFast).not.toContain('slow');
          expect(admitted(foundFast)).toBe(Math.min(count, free));
          await Promise.all([
            ...toFast.map((delivery) => slots.release(delivery, startedAt, startedAt + slowAttemptMs - 1)),
            ...toSilent
              .filter((_, index) => found[index] === 'admitted')
              .map((delivery) => slots.release(delivery, startedAt, startedAt + takesMs)),
          ]);
          now = startedAt + takesMs + waitMs;
          if (slow > 0) slowUntil = startedAt + takesMs + slowMs;
        }
      }),
      { numRuns: 12 },
    );
  });

  test('to several slow hosts are one at a time in total, and their database row stays small', async () => {
    const slots = deliverySlots(host.table);
    const { accountId } = newAccount();
    const longName = () => `${`${testIds.next()}.`.repeat(6)}example.com`;
    const toAnyHost = () => ({ accountId, host: longName(), worker: testIds.next() });
    const hosts = times(deliveriesPerAccount).map(toAnyHost);
    await acquireAll(hosts);
    const end = testTime + slowAttemptMs;
    await Promise.all(hosts.map((delivery) => slots.release(delivery, testTime, end)));
    expect(admitted(await acquireAll(times(10).map(toAnyHost), end))).toBe(1);
    const row = await host.table.get(slotsKey(`account:${accountId}`));
    expect(Object.keys(row?.slow ?? {})).toHaveLength(slowHostsPerAccount);
    expect(admitted(await acquireAll(times(10).map(toAnyHost), end + slowMs))).toBe(deliveriesPerAccount);
    const later = await host.table.get(slotsKey(`account:${accountId}`));
    expect(later?.slow).toEqual({});
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

test('webhook deliveries of many accounts to one host stay within its limit, and a refused one takes no slot', async () => {
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

test('a host gets few deliveries of the accounts it is slow for, and as many as allowed of other accounts', async () => {
  const slots = deliverySlots(host.table);
  const { host: shared } = newAccount();
  const slow = times(deliveriesPerHost - 1).map(() => ({ accountId: testIds.next(), host: shared }));
  const firsts = slow.map(deliveryOf);
  await acquireAll(firsts);
  const end = testTime + slowAttemptMs;
  await Promise.all(firsts.map((delivery) => slots.release(delivery, testTime, end)));
  expect(admitted(await acquireAll(slow.map(deliveryOf), end))).toBe(slowDeliveriesPerHost);
  const others = () => times(deliveriesPerHost).map(() => deliveryOf({ accountId: testIds.next(), host: shared }));
  const found = others();
  const admissions = await acquireAll(found, end);
  expect(admitted(admissions)).toBe(deliveriesPerHost - slowDeliveriesPerHost);
  expect(admissions).not.toContain('slow');

  const more = found.filter((_, index) => admissions[index] === 'admitted');
  await Promise.all(more.map((delivery) => slots.release(delivery, end, end + slowAttemptMs)));
  expect(await acquireAll(others(), end + slowAttemptMs)).not.toContain('admitted');
  const row = await host.table.get(slotsKey(`host:${shared}`));
  expect(Object.keys(row?.slow ?? {})).toHaveLength(deliveriesPerHost);
});

test('a webhook worker that lost the response to its claim keeps its one slot', async () => {
  const account = newAccount();
  const same = deliveryOf(account);
  const repeats = await acquireAll(times(2 * deliveriesPerAccount).map(() => same));
  expect(admitted(repeats)).toBe(repeats.length);
  const others = times(deliveriesPerAccount).map(() => deliveryOf(account));
  expect(admitted(await acquireAll(others))).toBe(deliveriesPerAccount - 1);
});

test('deferred webhook attempts are enqueued again after growing delays, and then left to the sweeper', () => {
  expect(times(6).map((deferrals) => deferralSeconds('full', deferrals))).toEqual([1, 2, 4, 8, 16, undefined]);
  expect(times(2).map((deferrals) => deferralSeconds('slow', deferrals))).toEqual([15, undefined]);
});
