/** Limits on concurrent deliveries: exactly when a slot is taken, kept, freed and forgotten. */
import { beforeEach, expect, test } from 'vitest';
import { slotsKey } from '../../../shared/domain/keys.ts';
import {
  deliveriesPerAccount,
  deliveriesPerHost,
  deliverySlots,
  slowAttemptMs,
  slowMs,
} from '../../../shared/domain/webhooks/delivery-slots.ts';
import { leaseMs } from '../../../shared/domain/webhooks/webhook.ts';
import { tableInTests, testIds, testTime } from '../../support/test-table.ts';

let accountId: string;

const host = await tableInTests();
const slots = deliverySlots(host.table);
beforeEach(() => {
  accountId = testIds.next();
});

const delivery = (given: { accountId?: string; host?: string } = {}) => ({
  accountId,
  host: `${testIds.next()}.example.com`,
  worker: testIds.next(),
  ...given,
});

const acquireMany = (count: number, at: number) =>
  Promise.all(Array.from({ length: count }, () => slots.acquire(delivery(), at)));

const allAdmitted = Array.from({ length: deliveriesPerAccount }, () => 'admitted');

test('a lease holds its delivery slot until the exact moment of its end', async () => {
  expect(await acquireMany(deliveriesPerAccount, testTime)).toEqual(allAdmitted);
  expect(await slots.acquire(delivery(), testTime + leaseMs - 1)).toBe('full');
  expect(await acquireMany(deliveriesPerAccount, testTime + leaseMs)).toEqual(allAdmitted);
});

test('a worker that took the last delivery slot and lost the response to its claim gets the same slot when it asks again', async () => {
  await acquireMany(deliveriesPerAccount - 1, testTime);
  const last = delivery();
  expect([await slots.acquire(last, testTime), await slots.acquire(last, testTime)]).toEqual(['admitted', 'admitted']);
  expect(await slots.acquire(delivery(), testTime)).toBe('full');
});

test('a host counts as slow for an account until exactly a minute after a slow delivery, and no longer after that', async () => {
  const slow = delivery();
  const again = () => delivery({ host: slow.host });
  const end = testTime + slowAttemptMs;
  await slots.acquire(slow, testTime);
  await slots.release(slow, testTime, end);
  expect(await slots.acquire(again(), end + slowMs - 1)).toBe('admitted');
  expect(await slots.acquire(again(), end + slowMs - 1)).toBe('slow');
  const later = Array.from({ length: deliveriesPerAccount - 1 }, again);
  expect(await Promise.all(later.map((one) => slots.acquire(one, end + slowMs)))).toEqual(allAdmitted.slice(1));
  expect(await slots.acquire(again(), end + slowMs)).toBe('full');
});

test('a delivery just below the slow threshold does not mark its host as slow', async () => {
  const first = delivery();
  await slots.acquire(first, testTime);
  await slots.release(first, testTime, testTime + slowAttemptMs - 1);
  for (const _ of allAdmitted) {
    expect(await slots.acquire(delivery({ host: first.host }), testTime + slowAttemptMs)).toBe('admitted');
  }
});

test('two slow hosts of an account share one delivery at a time', async () => {
  const end = testTime + slowAttemptMs;
  const [one, other] = [delivery(), delivery()];
  for (const slow of [one, other]) {
    await slots.acquire(slow, testTime);
    await slots.release(slow, testTime, end);
  }
  expect(await slots.acquire(delivery({ host: one.host }), end)).toBe('admitted');
  expect(await slots.acquire(delivery({ host: other.host }), end)).toBe('slow');
  expect(await slots.acquire(delivery(), end)).toBe('admitted');
});

test('a delivery to a fast host does not use an account’s one delivery to a slow host', async () => {
  const slow = delivery();
  const end = testTime + slowAttemptMs;
  await slots.acquire(slow, testTime);
  await slots.release(slow, testTime, end);
  expect(await slots.acquire(delivery(), end)).toBe('admitted');
  expect(await slots.acquire(delivery({ host: slow.host }), end)).toBe('admitted');
  expect(await slots.acquire(delivery({ host: slow.host }), end)).toBe('slow');
});

test('a host that stops being slow while it acquires a slot is not counted among the slow hosts', async () => {
  const [forgiven, slow] = [delivery(), delivery()];
  const end = testTime + slowAttemptMs;
  for (const one of [forgiven, slow]) await slots.acquire(one, testTime);
  await slots.release(forgiven, testTime, end);
  await slots.release(slow, testTime, end + 1);
  const meanwhile = [delivery({ host: slow.host })];
  const interrupted = deliverySlots({
    ...host.table,
    update: (input) =>
      host.table.update(input).catch(async (error: unknown) => {
        for (const other of meanwhile.splice(0)) {
          expect(await slots.acquire(other, end + slowMs)).toBe('admitted');
        }
        throw error;
      }),
  });
  expect(await interrupted.acquire(delivery({ host: forgiven.host }), end + slowMs - 1)).toBe('admitted');
  expect(meanwhile).toEqual([]);
});

test('a delivery that finds no free slot of its host gives back the slot of its account', async () => {
  const busy = `${testIds.next()}.example.com`;
  for (let taken = 0; taken < deliveriesPerHost; taken += 1) {
    await slots.acquire(delivery({ accountId: testIds.next(), host: busy }), testTime);
  }
  expect(await slots.acquire(delivery({ host: busy }), testTime)).toBe('full');
  expect(await acquireMany(deliveriesPerAccount, testTime)).toEqual(allAdmitted);
});

test('a row of delivery slots is kept for a day after a slot was last taken from it', async () => {
  await slots.acquire(delivery(), testTime + 999);
  const row = await host.table.get(slotsKey(`account:${accountId}`));
  expect(row?.expiresAt).toBe(testTime / 1000 + 24 * 3600);
});

test('no delivery is admitted when the table does not respond', async () => {
  const failure = new Error('no response');
  const cut = deliverySlots({ ...host.table, update: () => Promise.reject(failure) });
  await expect(cut.acquire(delivery(), testTime)).rejects.toBe(failure);
});

test('releasing a slow delivery throws when its slots could not be freed in the table', async () => {
  const slow = delivery();
  const failure = new Error('no response');
  const failures = [failure];
  const cut = deliverySlots({
    ...host.table,
    update: async (input) => {
      const first = failures.pop();
      if (first) throw first;
      return host.table.update(input);
    },
  });
  await slots.acquire(slow, testTime);
  await expect(cut.release(slow, testTime, testTime + slowAttemptMs)).rejects.toBe(failure);
});

test('a damaged row of delivery slots throws an error that names the attribute', async () => {
  const one = delivery();
  await host.table.put({ Item: { ...slotsKey(`account:${accountId}`), slow: { [one.host]: 'for ever' } } });
  await expect(slots.acquire(one, testTime)).rejects.toThrow('a stored slots row cannot be read: slow (');
});
