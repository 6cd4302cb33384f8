/**
 * Tasks whose engine may have worked for longer than was paid for are counted once each, and limit what an account may
 * create on the same day and in the next thirty.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { generationOf } from '../../../shared/contracts/generate.ts';
import { isPricedByFile } from '../../../shared/contracts/generation-contract.ts';
import { freeCancelsPerDay, longResultsPerDay, observationDays } from '../../../shared/contracts/limits.ts';
import type { TaskType } from '../../../shared/contracts/task-types.ts';
import { auditAccount } from '../../../shared/domain/accounts/audit-account.ts';
import { addLongResult, liftLimits } from '../../../shared/domain/accounts/long-results.ts';
import { updateAccount } from '../../../shared/domain/accounts/update-account.ts';
import { commitTask } from '../../../shared/domain/generation/commit-task.ts';
import { accountKey } from '../../../shared/domain/keys.ts';
import { stores as storesOf } from '../../../shared/domain/stores.ts';
import { type End, endTask } from '../../../shared/domain/task-lifecycle/end-task.ts';
import { isTerminal, type Task, transitions } from '../../../shared/domain/tasks/task.ts';
import { dayMs, midnightBefore } from '../../../shared/platform/clock.ts';
import type { Table } from '../../../shared/platform/dynamo-table.ts';
import { closedCircuits } from '../../support/closed-circuits.ts';
import { unreachable } from '../../support/end-unnotified.ts';
import { recordedMetrics } from '../../support/recorded-metrics.ts';
import { RecordingLogger } from '../../support/recording-logger.ts';
import { anAccount, aTask, tableInTests, testIds } from '../../support/test-table.ts';

const host = await tableInTests();

const firstDay = Date.UTC(2030, 0, 1);
const firstNoon = firstDay + dayMs / 2;
const cost = 3;
const opening = 1000;

const ends = {
  tooLong: { status: 'failed', code: 'PROVIDER_ERROR', isTooLong: true },
  timedOut: { status: 'failed', code: 'PROVIDER_TIMEOUT' },
  unsent: { status: 'failed', code: 'PROVIDER_TIMEOUT', isOwn: true },
  failed: { status: 'failed', code: 'PROVIDER_ERROR' },
  canceled: { status: 'failed', code: 'CANCELED' },
  completed: { status: 'completed', results: [] },
} as const satisfies Record<string, End>;
type How = keyof typeof ends;

/** The failure's stored message begins with how the task ended, which tells which of several processes was first. */
const endOf = (how: How): End => (how === 'completed' ? ends.completed : { ...ends[how], detail: how });

const isByFile = (taskType: TaskType) => isPricedByFile(generationOf(taskType));

/** The outcome of a write: success, or a crash of the process before it or right after it. */
type Fate = 'lives' | 'dies before' | 'dies after';

class Died extends Error {}

const mortal = (table: Table, fates: Fate[]): Table => ({
  ...table,
  async transact(actions) {
    const fate = fates.shift() ?? 'lives';
    if (fate === 'dies before') throw new Died();
    await table.transact(actions);
    if (fate === 'dies after') throw new Died();
  },
});

/** A process that ends a task, and is repeated until it survives, like a step of a workflow. */
interface Ending {
  readonly how: How;
  readonly fates: readonly Fate[];
}

interface Step {
  readonly later: number;
  /** Whether an operator lifts the limits first. */
  readonly isLifted: boolean;
  /** The tasks that are created concurrently, and the processes that work on each of them, also concurrently. */
  readonly tasks: readonly {
    readonly taskType: TaskType;
    readonly isStarted: boolean;
    readonly endings: readonly Ending[];
  }[];
}

const ending: fc.Arbitrary<Ending> = fc.record({
  how: fc.constantFrom<How>(
    'tooLong',
    'tooLong',
    'tooLong',
    'timedOut',
    'timedOut',
    'unsent',
    'failed',
    'canceled',
    'canceled',
    'completed',
  ),
  fates: fc.array(fc.constantFrom<Fate>('dies before', 'dies after'), { maxLength: 2 }),
});
const task = fc.record({
  taskType: fc.constantFrom<TaskType>(
    'voice-change',
    'voice-change',
    'voice-change',
    'video-imitate',
    'cortes',
    'voice',
  ),
  isStarted: fc.boolean(),
  endings: fc.oneof(
    { weight: 1, arbitrary: fc.constant([]) },
    { weight: 9, arbitrary: fc.array(ending, { minLength: 1, maxLength: 3 }) },
  ),
});
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    later: fc.constantFrom(
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      1,
      dayMs / 2,
      dayMs,
      (observationDays - 1) * dayMs,
      observationDays * dayMs,
    ),
    isLifted: fc.nat({ max: 9 }).map((number) => number === 0),
    tasks: fc.array(task, { minLength: 1, maxLength: 5 }),
  }),
  { minLength: 3, maxLength: 7 },
);

/** What the account is expected to remember. */
interface Memory {
  /** The times of long results, newest first. */
  readonly long: readonly number[];
  readonly cancels: { readonly day: number; readonly count: number } | undefined;
}

async function world({ long, cancels }: Memory) {
  let now = firstNoon;
  const clock = { now: () => now };
  const stores = { ...storesOf(host.table, clock), circuits: closedCircuits };
  const given = { balance: opening, features: ['cortes'] as const, ...(cancels && { fileCancels: cancels }) };
  const account = anAccount(given);
  const { accountId } = account;
  const row = { id: testIds.next(), accountId, amount: opening, reason: 'bonus', at: now } as const;
  await stores.accounts.insert(account, row);
  for (const at of long.toReversed()) await host.table.transact([updateAccount(accountId, [addLongResult(at)])]);
  const needs = { ...stores, ...unreachable, clock, ids: testIds, logger: new RecordingLogger() };
  return {
    pass(milliseconds: number) {
      now += milliseconds;
      return now;
    },
    standing: async () => (await stores.accounts.find(accountId)) ?? expect.fail('the account is gone'),
    times: async () => {
      const item = await host.table.get(accountKey(accountId));
      const names = ['latestLongResultAt', 'longResult2At', 'longResult3At', 'longResult4At', 'oldestLongResultAt'];
      return names.map((name) => Number(item?.[name] ?? 0));
    },
    lift: () => host.table.transact([liftLimits(accountId, { at: now, reason: 'an honest file' })]),
    audit: () => auditAccount({ ...stores, clock }, accountId),
    async create(taskType: TaskType) {
      const made = aTask({ accountId, taskType, cost, createdAt: now });
      const accepted = { taskId: made.taskId, status: 'queued' } as const;
      const contract = generationOf(taskType);
      return { made, outcome: await commitTask(needs, contract, { task: made, accepted, idempotency: undefined }) };
    },
    start: (made: Task) =>
      stores.tasks.advance(made, transitions.processing, { at: now, nextCheckAt: made.deadlineAt }),
    async end({ taskId }: Task, { how, fates }: Ending) {
      const table = mortal(host.table, [...fates]);
      for (;;) {
        const found = await stores.tasks.find(taskId);
        try {
          await endTask({ ...needs, table, metrics: recordedMetrics() }, found ?? expect.fail('no task'), endOf(how));
          return;
        } catch (error) {
          if (!(error instanceof Died)) throw error;
        }
      }
    },
    find: async (taskId: string) => (await stores.tasks.find(taskId)) ?? expect.fail('a task is missing'),
  };
}

type World = Awaited<ReturnType<typeof world>>;

const seen = {
  barred: 0,
  unslotted: 0,
  admittedAlone: 0,
  admittedLater: 0,
  freeCancels: 0,
  countedCancels: 0,
  lifted: 0,
};

/** Creates a step's tasks concurrently; returns those that exist. */
async function createAll(at: World, now: number, { long }: Memory, tasks: Step['tasks']) {
  const { openFileTasks = [] } = await at.standing();
  const isBarred = long.filter((time) => time >= midnightBefore(now)).length >= longResultsPerDay;
  const isObserved = (long[0] ?? 0) >= now - observationDays * dayMs;
  const created = await Promise.all(tasks.map(async (one) => ({ ...one, ...(await at.create(one.taskType)) })));
  const made = created.filter(({ outcome }) => outcome.status === 'made');
  const byFile = created.filter(({ taskType }) => isByFile(taskType));
  const room = isBarred ? 0 : isObserved ? Math.max(0, 1 - openFileTasks.length) : byFile.length;
  const admitted = byFile.filter((one) => made.includes(one));
  expect(admitted).toHaveLength(Math.min(room, byFile.length));
  expect(made).toHaveLength(created.length - byFile.length + admitted.length);
  for (const { outcome } of created.filter((one) => !made.includes(one)))
    expect(outcome).toMatchObject({ status: 'short', shortage: isBarred ? 'long-results' : 'file-slot' });
  const rejected = byFile.length - admitted.length;
  seen[isBarred ? 'barred' : 'unslotted'] += rejected;
  if (isObserved) seen.admittedAlone += admitted.length;
  else if (long.length > 0) seen.admittedLater += admitted.length;
  return made;
}

/** What the account remembers after these tasks have ended concurrently, which must agree with its row. */
async function afterEnds(at: World, now: number, { long, cancels }: Memory, ended: readonly Task[]): Promise<Memory> {
  const counted = (how: How) =>
    ended.filter(({ taskType, errorMessage }) => isByFile(taskType) && errorMessage?.startsWith(`${how}.`));
  const direct = counted('tooLong').length + counted('timedOut').length;
  const canceled = counted('canceled').length;
  const day = midnightBefore(now);
  const before = cancels?.day === day ? cancels.count : 0;
  const isObserved = (long[0] ?? 0) >= now - observationDays * dayMs;
  const beyond = Math.min(canceled, Math.max(0, before + canceled - freeCancelsPerDay));
  // If the first long result comes at the same moment, cancels before it may be free, and those after it are not.
  const least = direct + (isObserved ? canceled : beyond);
  const most = direct + (isObserved || direct > 0 ? canceled : beyond);
  const times = await at.times();
  const possible = Array.from({ length: most - least + 1 }, (_, more) =>
    [...Array.from({ length: least + more }, () => now), ...long].slice(0, longResultsPerDay),
  );
  expect(possible.map((some) => [...some, 0, 0, 0, 0, 0].slice(0, longResultsPerDay))).toContainEqual(times);
  seen.countedCancels += least - direct;
  seen.freeCancels += direct + canceled - most;
  const after = canceled > 0 ? { day, count: before + canceled } : cancels;
  expect((await at.standing()).fileCancels).toEqual(after);
  return { long: times.filter((time) => time > 0), cancels: after };
}

/** Several cancels at once, of which exactly one is still free. */
const cancelsBeyondTheFreeOnes: [Memory, Step[]] = [
  { long: [], cancels: { day: firstDay, count: freeCancelsPerDay - 1 } },
  [
    {
      later: 0,
      isLifted: false,
      tasks: Array.from({ length: 3 }, () => ({
        taskType: 'voice-change',
        isStarted: true,
        endings: [{ how: 'canceled', fates: [] }],
      })),
    },
  ],
];

test('however tasks race and crash, long results limit a day, leave one slot for thirty days, and count once each', async () => {
  const starts = fc.constantFrom<Memory>(
    { long: [], cancels: undefined },
    { long: [], cancels: { day: firstDay, count: freeCancelsPerDay - 1 } },
    { long: Array.from({ length: longResultsPerDay - 1 }, () => firstDay), cancels: undefined },
  );
  await fc.assert(
    fc.asyncProperty(starts, steps, async (start, plan) => {
      const at = await world(start);
      let memory = start;
      let open: Task[] = [];
      for (const { later, isLifted, tasks } of plan) {
        const now = at.pass(later);
        if (isLifted) {
          await at.lift();
          if (memory.long.length > 0) seen.lifted += 1;
          memory = { long: [], cancels: undefined };
        }
        const made = await createAll(at, now, memory, tasks);
        await Promise.all(
          made.flatMap(({ made: one, endings, isStarted }) => [
            ...(isStarted ? [at.start(one)] : []),
            ...endings.map((how) => at.end(one, how)),
          ]),
        );
        const found = await Promise.all(made.map((one) => at.find(one.made.taskId)));
        memory = await afterEnds(at, now, memory, found.filter(isTerminal));
        open = [...open, ...found.filter((one) => !isTerminal(one))];
        const ids = (some: readonly Task[]) => some.map(({ taskId }) => taskId).toSorted();
        const { openTasks, openFileTasks = [] } = await at.standing();
        expect(openTasks).toEqual(ids(open));
        expect(openFileTasks).toEqual(ids(open.filter(({ taskType }) => isByFile(taskType))));
      }
      expect(await at.audit()).toMatchObject({ credits: 0, slots: [] });
    }),
    { numRuns: 40, examples: [cancelsBeyondTheFreeOnes] },
  );
  expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(0);
});
