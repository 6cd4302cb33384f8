/** Regressions that random runs have found, each as the shortest sequence of commands that shows it. */
import { afterAll, expect, test } from 'vitest';
import type { Fault } from '../faults/fault-plan.ts';
import { startBench, startWorld } from '../world/world.ts';
import { deliver } from './background-commands.ts';
import { newModel } from './model.ts';
import { redeliver, redelivered } from './operator-commands.ts';
import { cancel, create } from './request-commands.ts';

const bench = await startBench();
afterAll(() => bench.close());

const task = { account: 0, characters: 1, webhook: true } as const;

/** A transaction whose response is lost, and whose retry conflicts with another writer. */
const lostThenInConflict: readonly Fault[] = [
  { on: 'TransactWriteItems', kind: 'lost', skip: 0, times: 1 },
  { on: 'TransactWriteItems', kind: 'conflict', skip: 0, times: 1 },
];

const begin = async () => {
  const world = await startWorld(bench, { engineCompletion: 'callback' });
  return { world, model: await newModel(world, [30, 30]) };
};

test('creating a task responds with 202 if its transaction was committed, sent again and in conflict with itself', async () => {
  const { model, world } = await begin();
  await create(task, lostThenInConflict).run(model, world);
  expect(model.tasks.size).toBe(1);
});

test('canceling a task responds with 200 if its transaction was committed, sent again and in conflict with itself', async () => {
  const { model, world } = await begin();
  await create(task).run(model, world);
  await cancel({ task: 0, byStranger: false }, lostThenInConflict).run(model, world);
  expect([...model.tasks.values()]).toMatchObject([{ status: 'failed' }]);
});

test('a redelivered webhook stays delivered when a second redelivery arrives late', async () => {
  const { model, world } = await begin();
  const accepted = deliver({ message: 0, response: 204, again: false });
  await create(task).run(model, world);
  await cancel({ task: 0, byStranger: false }).run(model, world);
  await accepted.run(model, world);
  const standing = world.faults.hold('UpdateItem', 0);
  const late = redelivered(world, [...model.tasks.keys()][0] ?? '');
  await standing.reached;
  await redeliver({ task: 0 }).run(model, world);
  await accepted.run(model, world);
  standing.release();
  await late;
  const [seen] = (await world.snapshot()).tasks.values();
  expect(seen).toMatchObject({ webhookStatus: 'delivered', webhookFrom: 4 });
});
