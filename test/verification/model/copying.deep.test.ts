/** Copying a result while the bucket fails: it is stored completely, or the task fails and is refunded. */
import { afterAll, expect, test } from 'vitest';
import type { FaultKind } from '../faults/aws-call.ts';
import type { Fault } from '../faults/fault-plan.ts';
import { startBench, startWorld } from '../world/world.ts';
import { drain } from './drain.ts';
import { newModel } from './model.ts';
import { create } from './request-commands.ts';
import { finalize } from './workflow-commands.ts';

const bench = await startBench();
afterAll(() => bench.close());

const receiverResponses = { first: 204, second: 204 };
const faults: readonly (readonly [string, FaultKind])[] = [
  ['the request is refused', 'refused'],
  ['the response is lost', 'lost'],
  ['the storage throttles', 'throttled'],
  ['the response is late', 'late'],
];

/** Creates a task, copies its result under a fault, and advances the clock until the task has ended. */
async function copiedUnder(kind: FaultKind, times: number) {
  const world = await startWorld(bench, { engineCompletion: 'callback' });
  const model = await newModel(world, [1]);
  const fault: Fault = { on: 'PutObject', kind, skip: 0, times };
  await create({ account: 0, characters: 1, webhook: true }).run(model, world);
  await finalize({ task: 0, outcome: 'done', ofAny: false }, [fault]).run(model, world);
  await drain(model, world, receiverResponses);
  const [task] = model.seen.tasks.values();
  const [account] = model.seen.accounts.values();
  return { task, balance: account?.balance };
}

test.for(faults)('a task’s result is stored even if %s in its first two uploads', async ([, kind]) => {
  expect(await copiedUnder(kind, 2)).toMatchObject({ task: { status: 'completed' }, balance: 0 });
});

test.for(faults.filter(([, kind]) => kind !== 'late'))(
  'a task fails and is refunded if %s in every upload of its result',
  async ([, kind]) => {
    expect(await copiedUnder(kind, 6)).toMatchObject({ task: { status: 'failed' }, balance: 1 });
  },
);
