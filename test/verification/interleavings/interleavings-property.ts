/**
 * The property: every order of the requests of concurrent operations on one account keeps every invariant. It is apart
 * from the model, whose races stop one operation at one call: its bugs need orders in which up to four operations
 * overtake each other, which only a scheduler of every call finds.
 */
import * as fc from 'fast-check';
import type { Table } from '../../../shared/platform/dynamo-table.ts';
import { ensureEnds, settleEverything } from '../model/drain.ts';
import { checkHistory, checkMoment } from '../oracle/invariants.ts';
import { ensureResults } from '../oracle/results.ts';
import { type Bench, countEvent } from '../world/world.ts';
import { noticeClientSockets } from './client-sockets.ts';
import { type Gates, gatesOf } from './gates.ts';
import { ensureJobs, ensureLimit, ensureWaiters } from './guarantees.ts';
import { type OperationMix, operationMixes } from './operation-mix.ts';
import type { Operation, OperationResult } from './operations.ts';
import type { Scene } from './scene.ts';
import { ensureAccounts } from './serializability.ts';
import type { StagedTask } from './stages.ts';
import { circumstances, openScene, plenty, prepare, type Setup } from './starting-conditions.ts';
import { ensureStudio } from './studio-guarantees.ts';
import { anyStudioMix, studioMixes } from './studio-operation-mix.ts';

const changes = (...strides: readonly number[]) =>
  fc.array(fc.constantFrom(...strides), { maxLength: 200, size: 'max' });

/** Many changes between operations, some, or a few: then one overtakes another altogether. */
const strides = fc.oneof(changes(1), changes(1, 1, 1, 2, 4, 9), changes(1, 2, 4, 9, 99));

/** Runs the operations, and looks at everything whenever one of them is over. */
async function meet(scene: Scene, staged: readonly StagedTask[], some: readonly Operation[]) {
  const { gates, world } = scene;
  const before = await world.snapshot();
  let seen = before;
  const look = async () => {
    const now = await world.snapshot();
    checkHistory(seen, now, world.clock.now());
    checkMoment(now, world.posts);
    seen = now;
  };
  const perform = async (operation: Operation): Promise<OperationResult> => {
    const operationResult = await operation.perform(scene, staged);
    await gates.occupy(look);
    return operationResult;
  };
  await look();
  const operationResults = await gates.conduct(() =>
    some.map((operation, index) => gates.enter(`${index + 1} ${operation.name}`, () => perform(operation))),
  );
  return { before, after: seen, operationResults, look, latest: () => seen };
}

export interface Tally {
  runs: number;
  operations: number;
  /** How often an operation came to a gate, and how often the scheduler picked who goes on. */
  steps: number;
  picks: number;
  readonly events: Map<string, number>;
}

export const newTally = (): Tally => ({ runs: 0, operations: 0, steps: 0, picks: 0, events: new Map() });

function count(tally: Tally, { arrivals, picks }: Gates, operationResults: readonly OperationResult[]): void {
  tally.runs += 1;
  tally.operations += operationResults.length;
  tally.steps += arrivals;
  tally.picks += picks;
  for (const one of operationResults)
    countEvent(tally.events, 'response' in one ? `${one.kind} ${one.response.code}` : one.kind);
}

const unchanged = (table: Table): Table => table;

async function run(scene: Scene, given: Setup & OperationMix, tally: Tally): Promise<void> {
  const staged = await prepare(scene, given);
  const startedAt = scene.world.clock.now();
  const { look, latest, ...met } = await meet(scene, staged, given.operations);
  const course = { ...met, accountId: scene.accountId };
  count(tally, scene.gates, course.operationResults);
  ensureAccounts(course);
  ensureStudio(course);
  ensureLimit(course, scene, startedAt);
  ensureWaiters(course, scene);
  ensureJobs(course, scene);
  await ensureResults(scene.world, course.before, course.after);
  if (!given.isSeenThrough) return;
  scene.world.setReceiverResponse(given.receiverResponses[1]);
  await settleEverything({ ...scene.world, invoke: scene.functions.invoke });
  await look();
  ensureEnds(latest());
}

const mixes = {
  tasks: [circumstances, operationMixes],
  studio: [plenty, anyStudioMix],
  sharing: [plenty, studioMixes.sharing],
  portraying: [plenty, studioMixes.portrayingAtOnce],
  repeating: [plenty, studioMixes.repeating],
  filming: [plenty, studioMixes.filming],
} as const;

export interface InterleavingsOptions {
  /** What the operations are about. */
  readonly mix: keyof typeof mixes;
  readonly mutate?: (table: Table) => Table;
}

export function interleavingsProperty(bench: Bench, tally: Tally, { mix, mutate = unchanged }: InterleavingsOptions) {
  const [conditions, operations] = mixes[mix];
  return fc.asyncProperty(
    conditions,
    operations,
    strides,
    fc.scheduler(),
    async (given, meeting, strides, scheduler) => {
      const closeSockets = noticeClientSockets();
      try {
        const scene = await openScene(bench, gatesOf(scheduler, strides), { ...given, ...meeting }, mutate);
        await run(scene, { ...given, ...meeting }, tally);
      } finally {
        closeSockets();
      }
    },
  );
}
