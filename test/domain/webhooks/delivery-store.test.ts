/** Storing the attempts of a webhook's delivery on the real table: one claim each, and one result. */
import { beforeEach, describe, expect, test } from 'vitest';
import { deliveryKey } from '../../../shared/domain/keys.ts';
import { toAttempt } from '../../../shared/domain/tasks/delivery-attempt.ts';
import { deliveryStore } from '../../../shared/domain/webhooks/delivery-store.ts';
import { leaseMs } from '../../../shared/domain/webhooks/webhook.ts';
import { ConditionFailed } from '../../../shared/platform/dynamo-table.ts';
import { tableInTests, testIds, testTime } from '../../support/test-table.ts';

let taskId: string;

const host = await tableInTests();
const store = deliveryStore(host.table);
beforeEach(() => {
  taskId = testIds.next();
});

const workers = Array.from({ length: 12 }, (_, index) => `worker ${index}`);
const delivered = { delivered: true, statusCode: 204, error: null, durationMs: 12 };
const interrupted = { delivered: false, statusCode: null, error: 'interrupted', durationMs: 0 };
const stored = async (attempt: number) => (await host.table.get(deliveryKey(taskId, attempt))) ?? {};

describe('a webhook delivery attempt', () => {
  test('is claimed by exactly one of many workers, and the others see the claim', async () => {
    const claims = await Promise.all(workers.map((worker) => store.claim(taskId, 1, { worker, now: testTime })));
    const claim = { attempt: 1, at: testTime, leaseUntil: testTime + leaseMs };
    expect(claims.filter((earlier) => earlier === undefined)).toHaveLength(1);
    expect(claims.filter((earlier) => earlier !== undefined)).toStrictEqual(workers.slice(1).map(() => claim));
    const holder = workers[claims.indexOf(undefined)] ?? '';
    expect(await store.claim(taskId, 1, { worker: holder, now: testTime + 1 })).toBeUndefined();
    expect(toAttempt(await stored(1))).toStrictEqual(claim);
  });

  test('is claimed independently of every other attempt and task', async () => {
    const claim = { worker: 'a', now: testTime };
    expect(await store.claim(taskId, 1, claim)).toBeUndefined();
    expect(await store.claim(taskId, 2, { ...claim, worker: 'b' })).toBeUndefined();
    expect(await store.claim(testIds.next(), 1, { ...claim, worker: 'b' })).toBeUndefined();
  });

  test('keeps the first of many results and returns it to every worker', async () => {
    await store.claim(taskId, 1, { worker: 'a', now: testTime });
    const results = [delivered, interrupted, interrupted];
    const standing = await Promise.all(results.map((result) => store.record(taskId, 1, result)));
    const [first] = standing;
    expect(standing).toEqual([first, first, first]);
    expect(results).toContainEqual(first);
    expect(await store.claim(taskId, 1, { worker: 'b', now: testTime })).toMatchObject({ attempt: 1, result: first });
  });

  test('is kept for thirty days', async () => {
    await store.claim(taskId, 1, { worker: 'a', now: testTime + 999 });
    expect((await stored(1)).expiresAt).toBe(testTime / 1000 + 30 * 24 * 3600);
  });

  const failures = [
    { when: 'does not respond', failure: new Error('no response') },
    { when: 'does not return who holds the claim', failure: new ConditionFailed(undefined) },
  ];
  test.each(failures)('is not claimed if the table $when, and the attempt to claim it throws', async ({ failure }) => {
    const cut = deliveryStore({ ...host.table, put: () => Promise.reject(failure) });
    await expect(cut.claim(taskId, 1, { worker: 'a', now: testTime })).rejects.toBe(failure);
  });

  test('with a damaged result throws an error that names the attribute', async () => {
    await host.table.put({ Item: { ...deliveryKey(taskId, 1), outcome: 'delivered' } });
    const recorded = store.record(taskId, 1, delivered);
    await expect(recorded).rejects.toThrow('a stored delivery cannot be read: outcome (');
  });
});
