/** How the row of a route's circuit records the durations of its tasks. */
import { expect, test } from 'vitest';
import { circuitStore } from '../../../shared/domain/generation/circuit-store.ts';
import { circuitKey } from '../../../shared/domain/keys.ts';
import type { Table } from '../../../shared/platform/dynamo-table.ts';
import { stillClock } from '../../support/stepped-clock.ts';
import { tableInTests, testIds } from '../../support/test-table.ts';

const host = await tableInTests();

function subject() {
  const clock = stillClock();
  const route = `offline/${testIds.next()}`;
  const writes: unknown[] = [];
  const reads: unknown[] = [];
  const table: Table = {
    ...host.table,
    update: (change) => {
      writes.push(change);
      return host.table.update(change);
    },
    walk: (query) => {
      reads.push(query);
      return host.table.walk(query);
    },
  };
  const newStore = () => circuitStore(table, clock);
  return {
    clock,
    route,
    writes,
    reads,
    newStore,
    /** A task that took the given number of seconds and ends now. */
    ended: (seconds: number, taskType: 'voice' | 'image' = 'voice') => ({
      route,
      taskType,
      createdAt: clock.now() - 1000 * seconds,
    }),
  };
}

test('the duration of a completed task becomes the estimate for new tasks of its type on its route, and for no others', async () => {
  const { ended, newStore, route } = subject();
  await newStore().recordDuration(ended(7));
  const store = newStore();
  expect(await store.estimate({ route, taskType: 'voice' })).toEqual({ typicalMs: 7000, spread: 0.5 });
  expect(await store.estimate({ route, taskType: 'image' })).toBeUndefined();
  expect(await store.estimate({ route: `${route}-2`, taskType: 'voice' })).toBeUndefined();
  await store.recordDuration(ended(90, 'image'));
  expect(await newStore().estimate({ route, taskType: 'voice' })).toMatchObject({ typicalMs: 7000 });
  expect(await newStore().estimate({ route, taskType: 'image' })).toMatchObject({ typicalMs: 90_000 });
});

test('storing durations does not change the circuit of a route, and storing failures does not change its durations', async () => {
  const { clock, ended, newStore, route } = subject();
  const store = newStore();
  const failed = { accountId: 'account', createdAt: clock.now(), route };
  await store.recordDuration(ended(7));
  await store.recordFailure(failed);
  await store.recordDuration(ended(7));
  await store.recordFailure(failed);
  expect((await newStore().read()).get(route)?.accounts.account).toMatchObject({ failures: 2 });
  expect(await newStore().estimate({ route, taskType: 'voice' })).toMatchObject({ typicalMs: 7000 });
});

test('once eight durations are known, at most one every ten seconds is stored, and the stored ones are read from a cache', async () => {
  const { clock, ended, newStore, reads, writes } = subject();
  const store = newStore();
  for (let task = 0; task < 100; task += 1) await store.recordDuration(ended(7));
  expect(writes).toHaveLength(8);
  expect(reads).toHaveLength(1);
  clock.advance(10_000);
  for (let task = 0; task < 100; task += 1) await store.recordDuration(ended(7));
  expect(writes).toHaveLength(9);
});

test('when many processes store a duration at once, each writes once, one succeeds, and none fails', async () => {
  const { clock, ended, newStore, route, writes } = subject();
  const all = Array.from({ length: 10 }, newStore);
  await Promise.all(all.map((store) => store.read()));
  clock.advance(1);
  await Promise.all(all.map((store) => store.recordDuration(ended(7))));
  expect(writes).toHaveLength(10);
  expect((await host.table.get(circuitKey(route)))?.durations).toMatchObject({ voice: { tasks: 1 } });
});

test('a process that could not store a task’s duration because another was faster stores that of its next task', async () => {
  const { ended, newStore, route } = subject();
  const [fast, slow] = [newStore(), newStore()];
  await Promise.all([fast.read(), slow.read()]);
  await fast.recordDuration(ended(7));
  for (let task = 0; task < 2; task += 1) await slow.recordDuration(ended(7));
  expect((await host.table.get(circuitKey(route)))?.durations).toMatchObject({ voice: { tasks: 2 } });
});

test('a circuit whose durations are in an unknown format can still be read, but gives no estimate', async () => {
  const { clock, newStore, route } = subject();
  await newStore().recordFailure({ accountId: 'account', createdAt: clock.now(), route });
  await host.table.update({
    Key: circuitKey(route),
    UpdateExpression: 'SET durations = :durations',
    ExpressionAttributeValues: { ':durations': { voice: 'about a minute' } },
  });
  expect(await newStore().estimate({ route, taskType: 'voice' })).toBeUndefined();
  expect((await newStore().read()).get(route)?.accounts.account).toMatchObject({ failures: 1 });
});

test('the estimate for new tasks is read together with the circuits, without another database round trip', async () => {
  const { newStore, reads, route } = subject();
  const store = newStore();
  await store.read();
  await store.estimate({ route, taskType: 'voice' });
  expect(reads).toHaveLength(1);
});
