/**
 * Tasks with results longer than requested are counted once each, and limit what an account may create on the same day.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { generationOf } from '../../../shared/contracts/generate.ts';
import { isPricedByFile } from '../../../shared/contracts/generation-contract.ts';
import { longResultsPerDay } from '../../../shared/contracts/limits.ts';
import type { TaskType } from '../../../shared/contracts/task-types.ts';
import { commitTask } from '../../../shared/domain/generation/commit-task.ts';
import { stores as storesOf } from '../../../shared/domain/stores.ts';
import { type End, endTask } from '../../../shared/domain/task-lifecycle/end-task.ts';
import type { Task } from '../../../shared/domain/tasks/task.ts';
import type { Table } from '../../../shared/platform/dynamo-table.ts';
import { closedCircuits } from '../../support/closed-circuits.ts';
import { unreachable } from '../../support/end-unnotified.ts';
import { recordedMetrics } from '../../support/recorded-metrics.ts';
import { RecordingLogger } from '../../support/recording-logger.ts';
import { anAccount, aTask, tableInTests, testIds } from '../../support/test-table.ts';

const host = await tableInTests();

const dayMs = 24 * 3_600_000;
const firstDay = Date.UTC(2030, 0, 1);
const cost = 3;
const opening = 1000;

const tooLong = { status: 'failed', code: 'PROVIDER_ERROR', isTooLong: true } as const;
const ends = {
  tooLong,
  failed: { status: 'failed', code: 'PROVIDER_TIMEOUT' },
  canceled: { status: 'failed', code: 'CANCELED' },
  completed: { status: 'completed', results: [] },
} as const satisfies Record<string, End>;

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
  readonly how: keyof typeof ends;
  readonly fates: readonly Fate[];
}

interface Step {
  readonly later: number;
  /** The tasks that are created, and the processes that end each of them concurrently. */
  readonly tasks: readonly { readonly taskType: TaskType; readonly endings: readonly Ending[] }[];
}

const ending: fc.Arbitrary<Ending> = fc.record({
  how: fc.constantFrom('tooLong', 'tooLong', 'tooLong', 'tooLong', 'failed', 'canceled', 'completed'),
  fates: fc.array(fc.constantFrom<Fate>('dies before', 'dies after'), { maxLength: 2 }),
});
const task = fc.record({
  taskType: fc.constantFrom<TaskType>('voice-change', 'video-imitate', 'cortes', 'voice', 'video-creative'),
  endings: fc.array(ending, { minLength: 1, maxLength: 3 }),
});
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    later: fc.constantFrom(0, 0, 0, 1, dayMs / 2, dayMs),
    tasks: fc.array(task, { minLength: 2, maxLength: 5 }),
  }),
  { minLength: 3, maxLength: 7 },
);

async function world() {
  let now = firstDay;
  const clock = { now: () => now };
  const stores = { ...storesOf(host.table, clock), circuits: closedCircuits };
  const account = anAccount({ balance: opening, features: ['cortes'] });
  const { accountId } = account;
  await stores.accounts.insert(account, undefined);
  const needs = { ...stores, ...unreachable, clock, ids: testIds, logger: new RecordingLogger() };
  return {
    pass(milliseconds: number) {
      now += milliseconds;
      return now;
    },
    standing: async () => (await stores.accounts.find(accountId)) ?? expect.fail('the account is gone'),
    async create(taskType: TaskType) {
      const made = aTask({ accountId, taskType, cost, createdAt: now });
      const accepted = { taskId: made.taskId, status: 'queued' } as const;
      const contract = generationOf(taskType);
      return { made, outcome: await commitTask(needs, contract, { task: made, accepted, idempotency: undefined }) };
    },
    async end({ taskId }: Task, { how, fates }: Ending) {
      const table = mortal(host.table, [...fates]);
      for (;;) {
        const found = await stores.tasks.find(taskId);
        try {
          await endTask({ ...needs, table, metrics: recordedMetrics() }, found ?? expect.fail('no task'), ends[how]);
          return;
        } catch (error) {
          if (!(error instanceof Died)) throw error;
        }
      }
    },
    find: (taskId: string) => stores.tasks.find(taskId),
  };
}

test('an overlong result counts once, and five in a day bar an account from operations priced by duration until the next day', async () => {
  const seen = { barred: 0, admitted: 0, admittedAfterBar: 0 };
  await fc.assert(
    fc.asyncProperty(steps, async (plan) => {
      const at = await world();
      /** The times at which results were found to be too long, newest first. */
      const long: number[] = [];
      for (const { later, tasks } of plan) {
        const now = at.pass(later);
        const midnight = Math.floor(now / dayMs) * dayMs;
        const isBarred = long.filter((time) => time >= midnight).length >= longResultsPerDay;
        const open = [];
        for (const { taskType, endings } of tasks) {
          const before = await at.standing();
          const { made, outcome } = await at.create(taskType);
          if (isBarred && isPricedByFile(generationOf(taskType))) {
            expect(outcome).toMatchObject({ status: 'short', shortage: 'long-results' });
            expect(await at.standing()).toEqual(before);
            expect(await at.find(made.taskId)).toBeUndefined();
            seen.barred += 1;
          } else {
            expect(outcome).toEqual({ status: 'made' });
            if (long.length >= longResultsPerDay && isPricedByFile(generationOf(taskType))) seen.admittedAfterBar += 1;
            seen.admitted += 1;
            open.push({ made, endings });
          }
        }
        await Promise.all(open.flatMap(({ made, endings }) => endings.map((one) => at.end(made, one))));
        for (const { made } of open) {
          const { errorCode } = (await at.find(made.taskId)) ?? {};
          // The error code tells which of the processes ended the task first.
          if (errorCode === tooLong.code && isPricedByFile(generationOf(made.taskType))) long.unshift(now);
        }
        const { oldestLongResultAt = 0, openTasks } = await at.standing();
        expect(openTasks).toEqual([]);
        expect(oldestLongResultAt).toBe(long[longResultsPerDay - 1] ?? 0);
      }
    }),
    { numRuns: 30 },
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
});
