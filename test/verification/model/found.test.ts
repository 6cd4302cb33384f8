/** What random runs once found, each as the shortest sequence of commands that shows it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deliver } from './background-commands.ts';
import type { Fault } from './faults.ts';
import { newModel } from './model.ts';
import { redeliver, redelivered } from './operator-commands.ts';
import { cancel, create } from './request-commands.ts';
import { type Bench, startBench, startWorld } from './world.ts';

let bench: Bench;

beforeAll(async () => {
  bench = await startBench();
});
afterAll(() => bench.close());

const task = { account: 0, characters: 1, voice: 'bill', webhook: true } as const;

/** A transaction whose answer is lost, and whose repetition meets another writer. */
const lostThenInConflict: readonly Fault[] = [
  { on: 'TransactWriteItems', kind: 'lost', skip: 0, times: 1 },
  { on: 'TransactWriteItems', kind: 'conflict', skip: 0, times: 1 },
];

const begin = async () => {
  const world = await startWorld(bench, { engineCompletion: 'callback' });
  return { world, model: await newModel(world, [30, 30]) };
};

test('a creation that was committed is answered 202, although its answer was lost and its repetition in conflict', async () => {
  const { model, world } = await begin();
  await create(task, lostThenInConflict).run(model, world);
  expect(model.tasks.size).toBe(1);
});

test('a cancellation that was committed is answered 200, although its answer was lost and its repetition in conflict', async () => {
  const { model, world } = await begin();
  await create(task, []).run(model, world);
  await cancel({ task: 0, byStranger: false }, lostThenInConflict).run(model, world);
  expect([...model.tasks.values()]).toMatchObject([{ status: 'failed' }]);
});

test('a webhook that was redelivered and accepted is not pending again when a second operator’s order comes late', async () => {
  const { model, world } = await begin();
  const accepted = deliver({ message: 0, answer: 204, again: false }, []);
  await create(task, []).run(model, world);
  await cancel({ task: 0, byStranger: false }, []).run(model, world);
  await accepted.run(model, world);
  const standing = world.faults.hold('UpdateItem', 0);
  const late = redelivered(world, [...model.tasks.keys()][0] ?? '');
  await standing.reached;
  await redeliver({ task: 0 }, []).run(model, world);
  await accepted.run(model, world);
  standing.release();
  await late;
  const [seen] = (await world.snapshot()).tasks.values();
  expect(seen).toMatchObject({ webhookStatus: 'delivered', webhookFrom: 4 });
});
