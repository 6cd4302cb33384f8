/**
 * Tasks whose engine may have worked for longer than was paid for are counted once each, and limit what an account may
 * create on the same day and in the next thirty. Cancels are counted once each, and limit those of the day.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  cancelsPerDay,
  longResultsPerDay,
  observationDays,
  paidCreditsPerRefunded,
  refundedCreditsPerDay,
  simultaneousTasks,
} from '../../../shared/contracts/limits.ts';
import type { TaskType } from '../../../shared/contracts/task-types.ts';
import { isTerminal, type Task } from '../../../shared/domain/tasks/task.ts';
import { dayMs, midnightBefore } from '../../../shared/platform/clock.ts';
import { tableInTests } from '../../support/test-table.ts';
import {
  cost,
  type Ending,
  firstDay,
  type How,
  isByFile,
  type Memory,
  type Outcome,
  openWorld,
  type World,
} from './long-results-world.ts';

const host = await tableInTests();

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
  outcomes: fc.array(fc.constantFrom<Outcome>('dies before', 'dies after'), { maxLength: 2 }),
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

const none: Memory = { long: [], cancels: undefined, paid: { day: firstDay, credits: 0 } };
const afterCancels = (count: number, { credits = count * cost, paid = 0 } = {}): Memory => ({
  ...none,
  cancels: { day: firstDay, count, credits },
  paid: { day: firstDay, credits: paid },
});
/** The account has used the allowance of those who pay little up, and pays for almost two more cancels. */
const afterMany = afterCancels(cancelsPerDay, { paid: (cancelsPerDay + 2) * cost * paidCreditsPerRefunded - 4 * cost });
/** Two canceled tasks have cost so much that the allowance of credits is enough for one more cancel only. */
const afterDear = afterCancels(2, { credits: refundedCreditsPerDay - 2 * cost + 1 });

const onDay = <Counted extends { readonly day: number }>(counted: Counted | undefined, now: number) =>
  counted?.day === midnightBefore(now) ? counted : undefined;
const countOn = ({ cancels }: Memory, now: number): number => onDay(cancels, now)?.count ?? 0;

const seen = {
  barred: 0,
  unslotted: 0,
  admittedAlone: 0,
  admittedLater: 0,
  canceled: 0,
  canceledBeyond: 0,
  canceledUnderObservation: 0,
  rejectedCancels: 0,
  rejectedDear: 0,
  rejectedUnderObservation: 0,
  lifted: 0,
};

/** Creates the tasks of a step concurrently; returns those that were admitted. */
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

/**
 * What the model expects of the account after these tasks have ended concurrently. Checks that the stored account
 * agrees.
 */
async function afterEnds(at: World, now: number, before: Memory, ended: readonly Task[]): Promise<Memory> {
  const how = (name: How) => ended.filter(({ errorMessage }) => errorMessage?.startsWith(`${name}.`));
  const counted = [...how('tooLong'), ...how('timedOut')].filter(({ taskType }) => isByFile(taskType));
  const long = [...counted.map(() => now), ...before.long].slice(0, longResultsPerDay);
  expect(await at.times()).toEqual([...long, 0, 0, 0, 0, 0].slice(0, longResultsPerDay));
  const canceled = how('canceled');
  const count = countOn(before, now) + canceled.length;
  const credits = (onDay(before.cancels, now)?.credits ?? 0) + canceled.length * cost;
  const cancels = canceled.length > 0 ? { day: midnightBefore(now), count, credits } : before.cancels;
  expect((await at.standing()).cancels).toEqual(cancels);
  const failed = ended.filter(({ status }) => status === 'failed').length;
  const paid = { ...before.paid, credits: before.paid.credits - failed * cost };
  return { ...before, long, cancels, paid };
}

const isObservedAt = ({ long }: Memory, now: number): boolean => (long[0] ?? 0) >= now - observationDays * dayMs;

/** How many cancels an account may have in total on this day, which all cost the same from now on. */
function mostOf(memory: Memory, now: number): number {
  const [count, credits] = [countOn(memory, now), onDay(memory.cancels, now)?.credits ?? 0];
  const inCredits = (total: number) => Math.floor((total - credits) / cost);
  const few = Math.min(cancelsPerDay - count, inCredits(refundedCreditsPerDay));
  const share = inCredits((onDay(memory.paid, now)?.credits ?? 0) / paidCreditsPerRefunded);
  return count + Math.max(0, few, share);
}

/** Compares the cancels of a step with how many the account was allowed before the step, and is allowed after it. */
function checkCancels(
  now: number,
  { before, after }: { readonly before: Memory; readonly after: Memory },
  canceled: readonly Task[],
  rejected: readonly Task[],
): void {
  const most = mostOf(before, now);
  const limitOf = ({ taskType }: Task, memory: Memory) =>
    isByFile(taskType) && isObservedAt(memory, now)
      ? Math.min(longResultsPerDay, mostOf(memory, now))
      : mostOf(memory, now);
  const count = countOn(after, now);
  if (canceled.length > 0) expect(count).toBeLessThanOrEqual(most);
  const limited = canceled.filter((one) => limitOf(one, before) < most);
  expect(limited.length).toBeLessThanOrEqual(Math.max(0, longResultsPerDay - countOn(before, now)));
  for (const one of rejected) expect(count).toBeGreaterThanOrEqual(limitOf(one, after));
  seen.canceled += canceled.length;
  seen.canceledBeyond += canceled.length > 0 && count > cancelsPerDay ? 1 : 0;
  seen.canceledUnderObservation += limited.length;
  seen.rejectedUnderObservation += rejected.filter((one) => limitOf(one, after) < cancelsPerDay).length;
  seen.rejectedCancels += rejected.length;
  if (rejected.length > 0 && count < cancelsPerDay && !isObservedAt(after, now)) seen.rejectedDear += 1;
}

const cancelsAtOnce = (taskType: TaskType, count: number): Step => ({
  later: 0,
  isLifted: false,
  tasks: Array.from({ length: count }, () => ({
    taskType,
    isStarted: true,
    endings: [{ how: 'canceled', outcomes: [] }],
  })),
});

/**
 * Situations that random plans rarely reach: several concurrent cancels of which only one is still allowed, for an
 * account with few tasks, with many, and under observation; a new task after the last long result that is allowed on a
 * day, after the observation has ended, and after an operator has lifted it.
 */
const rare: [Memory, Step[]][] = [
  [afterCancels(cancelsPerDay - 1), [cancelsAtOnce('voice', 3), cancelsAtOnce('voice-change', 2)]],
  [afterMany, [cancelsAtOnce('voice', 3), cancelsAtOnce('voice', 4)]],
  [afterDear, [cancelsAtOnce('voice', 2)]],
  [{ ...afterDear, long: [firstDay] }, [cancelsAtOnce('voice-change', 1), cancelsAtOnce('voice-change', 1)]],
  [
    { ...afterCancels(longResultsPerDay - 1), long: [firstDay] },
    [cancelsAtOnce('voice-change', 3), cancelsAtOnce('voice-change', 1), cancelsAtOnce('voice', 2)],
  ],
  [afterCancels(0), [cancelsAtOnce('voice', simultaneousTasks), cancelsAtOnce('voice', 1)]],
  [{ ...none, long: Array.from({ length: longResultsPerDay }, () => firstDay) }, [cancelsAtOnce('voice-change', 1)]],
  [{ ...none, long: [firstDay] }, [{ ...cancelsAtOnce('voice-change', 1), later: observationDays * dayMs }]],
  [{ ...none, long: [firstDay] }, [{ ...cancelsAtOnce('voice-change', 2), isLifted: true }]],
];

test('results longer than paid for and cancellations count once each despite races and crashes, and limit later tasks', async () => {
  const starts = fc.constantFrom<Memory>(none, afterCancels(cancelsPerDay - 1), afterMany, afterDear, {
    ...none,
    long: Array.from({ length: longResultsPerDay - 1 }, () => firstDay),
  });
  await fc.assert(
    fc.asyncProperty(starts, steps, async (start, plan) => {
      const at = await openWorld(host.table, start);
      let memory = start;
      let open: Task[] = [];
      for (const { later, isLifted, tasks } of plan) {
        const now = at.pass(later);
        if (isLifted) {
          await at.lift();
          if (memory.long.length > 0) seen.lifted += 1;
          memory = { ...none, paid: memory.paid };
        }
        const made = await createAll(at, now, memory, tasks);
        const credits = (onDay(memory.paid, now)?.credits ?? 0) + made.length * cost;
        const before = { ...memory, paid: { day: midnightBefore(now), credits } };
        const rejected = new Set<string>();
        await Promise.all(
          made.flatMap(({ made: one, endings, isStarted }) => [
            ...(isStarted ? [at.start(one)] : []),
            ...endings.map(async (how) => {
              if (await at.end(one, how)) rejected.add(one.taskId);
            }),
          ]),
        );
        const found = await Promise.all(made.map((one) => at.find(one.made.taskId)));
        memory = await afterEnds(at, now, before, found.filter(isTerminal));
        checkCancels(
          now,
          { before, after: memory },
          found.filter(({ errorMessage }) => errorMessage?.startsWith('canceled.')),
          found.filter(({ taskId }) => rejected.has(taskId)),
        );
        open = [...open, ...found.filter((one) => !isTerminal(one))];
        const ids = (some: readonly Task[]) => some.map(({ taskId }) => taskId).toSorted();
        const { openTasks, openFileTasks = [] } = await at.standing();
        expect(openTasks).toEqual(ids(open));
        expect(openFileTasks).toEqual(ids(open.filter(({ taskType }) => isByFile(taskType))));
      }
      expect(await at.audit()).toMatchObject({ credits: 0, slots: [] });
    }),
    { numRuns: 40, examples: rare },
  );
  expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(0);
});
