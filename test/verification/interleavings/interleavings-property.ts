/** The property: in whatever order the requests of operations on one account take effect, every promise holds. */
import * as fc from 'fast-check';
import type { Table } from '../../../shared/platform/dynamo-table.ts';
import { holdEnds, settleEverything } from '../model/drain.ts';
import { checkHistory, checkMoment } from '../model/invariants.ts';
import { holdResults } from '../model/results.ts';
import { type Bench, noted } from '../model/world.ts';
import { holdAccounts } from './accounting.ts';
import { type Begun, circumstances, openScene, prepare } from './circumstances.ts';
import { noticeClientSockets } from './client-sockets.ts';
import { type Gates, gatesOf } from './gates.ts';
import { type Meeting, meetings } from './meetings.ts';
import type { Happening, Operation } from './operations.ts';
import { holdJobs, holdLimit, holdWaiters } from './promises.ts';
import type { Scene } from './scene.ts';

const changes = (...strides: readonly number[]) =>
  fc.array(fc.constantFrom(...strides), { maxLength: 200, size: 'max' });

/** Many changes between operations, some, or a few: then one overtakes another altogether. */
const strides = fc.oneof(changes(1), changes(1, 1, 1, 2, 4, 9), changes(1, 2, 4, 9, 99));

/** Runs the operations, and looks at everything whenever one of them is over. */
async function meet(scene: Scene, ids: readonly string[], some: readonly Operation[]) {
  const { gates, world } = scene;
  const before = await world.snapshot();
  let seen = before;
  const look = async () => {
    const now = await world.snapshot();
    checkHistory(seen, now);
    checkMoment(now, world.posts);
    seen = now;
  };
  const perform = async (operation: Operation): Promise<Happening> => {
    const happening = await operation.perform(scene, ids);
    await gates.occupy(look);
    return happening;
  };
  await look();
  const happenings = await gates.conduct(() =>
    some.map((operation, index) => gates.enter(`${index + 1} ${operation.name}`, () => perform(operation))),
  );
  return { before, after: seen, happenings, look, latest: () => seen };
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

function count(tally: Tally, { arrivals, picks }: Gates, happenings: readonly Happening[]): void {
  tally.runs += 1;
  tally.operations += happenings.length;
  tally.steps += arrivals;
  tally.picks += picks;
  for (const one of happenings) noted(tally.events, 'told' in one ? `${one.kind} ${one.told.code}` : one.kind);
}

const unchanged = (table: Table): Table => table;

async function run(scene: Scene, given: Begun & Meeting, tally: Tally): Promise<void> {
  const ids = await prepare(scene, given);
  const startedAt = scene.world.clock.now();
  const { look, latest, ...met } = await meet(scene, ids, given.operations);
  const course = { ...met, accountId: scene.accountId };
  count(tally, scene.gates, course.happenings);
  holdAccounts(course);
  holdLimit(course, scene, startedAt);
  holdWaiters(course, scene);
  holdJobs(course, scene);
  await holdResults(scene.world, course.before, course.after);
  if (!given.isSeenThrough) return;
  scene.world.receiverAnswers(given.receiverAnswers[1]);
  await settleEverything({ ...scene.world, invoke: scene.functions.invoke });
  await look();
  holdEnds(latest());
}

export function interleavingsProperty(bench: Bench, tally: Tally, mutate = unchanged) {
  return fc.asyncProperty(
    circumstances,
    meetings,
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
