/** Concurrent requests: guarantees that hold in any order. */
import { expect, test } from 'vitest';
import { client } from '../../client/client.ts';
import { colleagueOf, newBackEnd, tally } from './back-end.ts';
import { isCapable, target } from './target.ts';

const body = { text: 'Olá. [offline:hang]', voice: 'sarah' } as const;
const times = (count: number) => Array.from({ length: count }, (_, index) => index);

test('twenty requests with one key create one task and one debit', async () => {
  const ana = await newBackEnd(50);
  const responses = await Promise.all(times(20).map(() => ana.api.generateVoice({ body, idempotencyKey: 'order-1' })));
  expect(new Set(responses.map(({ data }) => data.taskId)).size).toBe(1);
  expect(responses.filter(({ headers }) => headers.get('idempotent-replayed') !== 'true')).toHaveLength(1);
  expect(await ana.ledger()).toEqual([
    [-1, 'generation'],
    [50, 'bonus'],
  ]);
});

test('with more requests than credits, exactly the affordable tasks are created and the balance ends at zero', async () => {
  const ana = await newBackEnd(3);
  const result = await tally(times(10).map(() => ana.api.generateVoice({ body })));
  expect(result).toEqual({ success: 3, INSUFFICIENT_CREDITS: 7 });
  expect(await ana.balance()).toBe(0);
});

test.runIf(isCapable('offline-engine'))(
  'with more requests than slots, twenty tasks are created, and canceling them returns all slots and credits',
  async () => {
    const ana = await newBackEnd(100);
    const result = await tally(times(24).map(() => ana.api.generateVoice({ body })));
    expect(result).toEqual({ success: 20, MAX_CONCURRENT_TASKS: 4 });
    const { data } = await ana.api.listTasks({ query: { limit: 50 } });
    expect(data.tasks).toHaveLength(20);

    const bob = await colleagueOf(ana);
    // Five at a time: an emulator with twenty functions at work can exceed the time that a request to AWS is given.
    for (let first = 0; first < data.tasks.length; first += 5) {
      const batch = data.tasks.slice(first, first + 5);
      const canceled = await tally(batch.map(({ id }) => bob.api.cancelTask({ params: { taskId: id } })));
      expect(canceled).toEqual({ success: 5 });
    }
    expect(await bob.balance()).toBe(100);
    expect(await tally(times(3).map(() => bob.api.generateVoice({ body })))).toEqual({ success: 3 });
  },
);

test('the sixty-first request in a minute is rejected with Retry-After', async () => {
  const ana = await newBackEnd(1);
  // A few at a time: a host that starts a process for each request would be overloaded.
  for (let round = 0; round < 10; round += 1) {
    expect(await tally(times(6).map(() => ana.api.getProfile()))).toEqual({ success: 6 });
  }
  const response = await fetch(`${target.url}/api/v1/profile`, { headers: { authorization: `Bearer ${ana.token}` } });
  expect(response.status).toBe(429);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(Number(response.headers.get('retry-after'))).toBeLessThanOrEqual(60);
  await expect(client({ baseUrl: target.url, token: ana.token }).getProfile()).rejects.toMatchObject({
    code: 'RATE_LIMITED',
  });
});
