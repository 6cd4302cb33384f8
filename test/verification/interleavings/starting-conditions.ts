/** The state of account, engine and receivers before the concurrent operations begin. */
import * as fc from 'fast-check';
import { simultaneousTasks } from '../../../shared/contracts/limits.ts';
import { tokenDigest } from '../../../shared/domain/tokens/token.ts';
import type { Table } from '../../../shared/platform/dynamo-table.ts';
import { roomIn } from '../model/request-limit.ts';
import { type EngineMood, engineMoods, setMood } from '../model/workflow-commands.ts';
import { type Bench, startWorld } from '../world/world.ts';
import { gatedFunctions } from './gated-functions.ts';
import { gatedPorts, gatedTable } from './gated-ports.ts';
import type { Gates } from './gates.ts';
import type { OperationMix } from './operation-mix.ts';
import { create, type Scene } from './scene.ts';
import { stageFile } from './staged-files.ts';
import { type StagedTask, stageTask } from './stages.ts';

interface StartingConditions {
  readonly engineCompletion: 'callback' | 'polling';
  readonly mood: EngineMood;
  readonly receiverResponses: readonly [number | 'hang up', number];
  /** What is left to spend. */
  readonly credits: number;
  /** How many slots are free, if there are few. */
  readonly slots?: number | undefined;
  /** How many requests the token's limit still admits, if there are few. */
  readonly room?: number | undefined;
  /** Whether time, the sweeper and the queue are then left to end everything: that takes longer than all the rest. */
  readonly isSeenThrough: boolean;
}

/** With the tasks and files that operations will be about. */
export type Setup = StartingConditions & Pick<OperationMix, 'tasks' | 'files'>;

const seldomFew = fc.oneof(
  { weight: 6, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.nat({ max: 2 }) },
);

export const circumstances: fc.Arbitrary<StartingConditions> = fc.record({
  engineCompletion: fc.constantFrom('callback', 'callback', 'polling'),
  mood: fc.constantFrom('accepts', ...engineMoods),
  receiverResponses: fc.tuple(fc.constantFrom<(number | 'hang up')[]>(204, 500, 'hang up'), fc.constantFrom(204, 503)),
  credits: fc.nat({ max: 3 }),
  slots: seldomFew,
  room: seldomFew,
  isSeenThrough: fc.constantFrom(false, false, true),
});

/** Nothing is scarce, and engines do not fail: what is at stake is something else. */
export const plenty: fc.Arbitrary<StartingConditions> = fc.record({
  engineCompletion: fc.constantFrom('callback', 'callback', 'polling'),
  mood: fc.constantFrom('accepts', 'accepts', 'works', 'is done'),
  receiverResponses: fc.constant([204, 204] as const),
  credits: fc.constant(0),
  isSeenThrough: fc.constantFrom(false, false, true),
});

/** Makes tasks that take slots and are otherwise left alone. */
async function takeSlots(scene: Scene, free: number): Promise<void> {
  const { accounts } = await scene.world.snapshot();
  const open = accounts.get(scene.accountId)?.openTasks.length ?? 0;
  const others = Array.from({ length: simultaneousTasks - open - free });
  await Promise.all(others.map(() => create(scene, { cost: 1, webhook: false })));
}

async function useUp({ token, world }: Scene, room: number): Promise<void> {
  const { clock, tokens } = world.context;
  const { log } = (await world.snapshot()).tokens.get(token.tokenId) ?? {};
  const uses = Math.max(0, roomIn(log, clock.now()) - room);
  await Promise.all(Array.from({ length: uses }, () => tokens.admit(tokenDigest(token.token), clock.now())));
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** An account of its own in a table of its own; `mutate` plants a bug above the gates. */
export async function openScene(
  bench: Bench,
  gates: Gates,
  given: Setup,
  mutate: (table: Table) => Table,
): Promise<Scene> {
  const { engineCompletion, credits, slots, tasks } = given;
  const world = await startWorld(bench, { engineCompletion, mutate: (table) => mutate(gatedTable(gates, table)) });
  const others = slots === undefined ? 0 : simultaneousTasks;
  const accountId = await world.newAccount(credits + others + sum(tasks.map(({ order: { cost } }) => cost)));
  const token = await world.newToken(accountId);
  const ports = gatedPorts(gates);
  return { world, gates, ports, functions: gatedFunctions(ports, gates, world), accountId, token, files: [] };
}

/** Brings everything to where it is when the operations begin; gives the tasks that they are about. */
export async function prepare(
  scene: Scene,
  { mood, receiverResponses, room, slots, tasks, files = 0 }: Setup,
): Promise<StagedTask[]> {
  const { clock, host, queue } = scene.world;
  const staged: StagedTask[] = [];
  for (const { stage, order } of tasks) staged.push(await stageTask(scene, stage, order));
  for (let count = 0; count < files; count += 1) scene.files.push(await stageFile(scene));
  if (slots !== undefined) await takeSlots(scene, slots);
  // What is queued may be delivered from now on.
  clock.advance(Math.max(0, ...queue.messages.map(({ dueAt }) => dueAt - clock.now())));
  if (room !== undefined) await useUp(scene, room);
  setMood(host, mood, 50);
  scene.world.setReceiverResponse(receiverResponses[0]);
  return staged;
}
