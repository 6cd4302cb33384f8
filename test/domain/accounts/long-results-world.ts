/** An account whose limits are compared with a model, and the processes that end its tasks. */
import { expect } from 'vitest';
import { generationOf } from '../../../shared/contracts/generate.ts';
import { isPricedByFile } from '../../../shared/contracts/generation-contract.ts';
import type { TaskType } from '../../../shared/contracts/task-types.ts';
import { auditAccount } from '../../../shared/domain/accounts/audit-account.ts';
import type { DayCount } from '../../../shared/domain/accounts/day-count.ts';
import { appendLedgerRow } from '../../../shared/domain/accounts/ledger-store.ts';
import { addLongResult, liftLimits } from '../../../shared/domain/accounts/long-results.ts';
import { updateAccount } from '../../../shared/domain/accounts/update-account.ts';
import { mainJob } from '../../../shared/domain/engine-jobs/engine-job.ts';
import { commitTask } from '../../../shared/domain/generation/commit-task.ts';
import { accountKey } from '../../../shared/domain/keys.ts';
import { Rejection } from '../../../shared/domain/rejection.ts';
import { stores as storesOf } from '../../../shared/domain/stores.ts';
import { type End, endTask } from '../../../shared/domain/task-lifecycle/end-task.ts';
import { type Task, transitions } from '../../../shared/domain/tasks/task.ts';
import { dayMs, midnightBefore } from '../../../shared/platform/clock.ts';
import type { Table } from '../../../shared/platform/dynamo-table.ts';
import { randomIds } from '../../../shared/platform/ids.ts';
import { closedCircuits } from '../../support/closed-circuits.ts';
import { unreachable } from '../../support/end-unnotified.ts';
import { recordedMetrics } from '../../support/recorded-metrics.ts';
import { RecordingLogger } from '../../support/recording-logger.ts';
import { anAccount, aTask } from '../../support/test-table.ts';

export const firstDay = Date.UTC(2030, 0, 1);
const firstNoon = firstDay + dayMs / 2;
/** What each task costs. */
export const cost = 3;
const opening = 1000;

const ends = {
  tooLong: { status: 'failed', code: 'PROVIDER_ERROR', isTooLong: true },
  timedOut: { status: 'failed', code: 'PROVIDER_TIMEOUT' },
  unsent: { status: 'failed', code: 'PROVIDER_TIMEOUT', isOwn: true },
  failed: { status: 'failed', code: 'PROVIDER_ERROR' },
  unusable: { status: 'failed', code: 'PROVIDER_ERROR', isUnusable: true },
  internal: { status: 'failed', code: 'INTERNAL_ERROR' },
  canceled: { status: 'failed', code: 'CANCELED' },
  rejected: { status: 'failed', code: 'CONTENT_REJECTED' },
  invalid: { status: 'failed', code: 'INPUT_INVALID' },
  completed: { status: 'completed', results: [] },
} as const satisfies Record<string, End>;
export type How = keyof typeof ends;

/** The failure's stored message begins with how the task ended, which shows which of several processes ended it. */
const endOf = (how: How): End => (how === 'completed' ? ends.completed : { ...ends[how], detail: how });

export const isByFile = (taskType: TaskType) => isPricedByFile(generationOf(taskType));

/** The outcome of a write: success, or a crash of the process before it or right after it. */
export type Outcome = 'lives' | 'dies before' | 'dies after';

class Died extends Error {}

const mortal = (table: Table, outcomes: Outcome[]): Table => ({
  ...table,
  async transact(actions) {
    const outcome = outcomes.shift() ?? 'lives';
    if (outcome === 'dies before') throw new Died();
    await table.transact(actions);
    if (outcome === 'dies after') throw new Died();
  },
});

/** A process that ends a task. It may crash, and is repeated until it does not, like a step of a workflow. */
export interface Ending {
  readonly how: How;
  readonly outcomes: readonly Outcome[];
}

/** What the model expects to be stored in the account. */
export interface Memory {
  /** The times of long results, newest first. */
  readonly long: readonly number[];
  readonly cancels: DayCount | undefined;
  readonly chargedFailures?: DayCount;
  /** What the tasks cost that it created on the last day on which it created any, without those that are refunded. */
  readonly paid: { readonly day: number; readonly credits: number };
}

/**
 * An account in the state that the model expects, on a table; the processes that end its tasks may crash at any write.
 */
export async function openWorld(table: Table, { long, cancels, chargedFailures, paid }: Memory) {
  let now = firstNoon;
  const clock = { now: () => now };
  // A ledger row belongs to the day in its id.
  const ids = randomIds(clock);
  const stores = { ...storesOf(table, clock), circuits: closedCircuits };
  const given = {
    balance: opening,
    features: ['cortes'] as const,
    ...(cancels && { cancels }),
    ...(chargedFailures && { chargedFailures }),
  };
  const account = anAccount(given);
  const { accountId } = account;
  const row = { id: ids.next(), accountId, amount: opening + paid.credits, reason: 'bonus', at: now } as const;
  await stores.accounts.insert(account, row);
  // The debit of a task that the account created before.
  const debit = { id: ids.next(), accountId, amount: -paid.credits, at: now, taskType: 'voice' } as const;
  if (paid.credits > 0) await table.transact([appendLedgerRow({ ...debit, reason: 'generation' })]);
  for (const at of long.toReversed()) await table.transact([updateAccount(accountId, [addLongResult(at)])]);
  const needs = { ...stores, ...unreachable, clock, ids, logger: new RecordingLogger() };
  return {
    pass(milliseconds: number) {
      now += milliseconds;
      return now;
    },
    standing: async () => (await stores.accounts.find(accountId)) ?? expect.fail('the account is gone'),
    times: async () => {
      const item = await table.get(accountKey(accountId));
      const names = ['latestLongResultAt', 'longResult2At', 'longResult3At', 'longResult4At', 'oldestLongResultAt'];
      return names.map((name) => Number(item?.[name] ?? 0));
    },
    lift: () => table.transact([liftLimits(accountId, { at: now, reason: 'an honest file' })]),
    audit: () => auditAccount({ ...stores, clock }, accountId),
    async create(taskType: TaskType, given: Partial<Task> = {}) {
      const made = aTask({ accountId, taskType, cost, createdAt: now, ...given });
      const accepted = { taskId: made.taskId, status: 'queued' } as const;
      const contract = generationOf(taskType);
      return {
        made,
        outcome: await commitTask(needs, contract, {
          task: made,
          accepted,
          idempotency: undefined,
          requestId: made.taskId,
        }),
      };
    },
    /** Records that the engine's job ended without a result, and what it costs. */
    charge: ({ taskId }: Task, micros: number) =>
      stores.engineJobs.recordOutcome({ taskId, name: mainJob }, ends.failed, now, micros),
    start: (made: Task) =>
      stores.tasks.advance(made, transitions.processing, { at: now, nextCheckAt: made.deadlineAt }),
    /** Returns whether the end was rejected. */
    async end({ taskId }: Task, { how, outcomes }: Ending): Promise<boolean> {
      const mortalTable = mortal(table, [...outcomes]);
      for (;;) {
        const found = await stores.tasks.find(taskId);
        try {
          await endTask(
            { ...needs, table: mortalTable, metrics: recordedMetrics() },
            found ?? expect.fail('no task'),
            endOf(how),
          );
          return false;
        } catch (error) {
          if (error instanceof Rejection) {
            expect([how, error.kind]).toEqual(['canceled', 'rate-limited']);
            expect(error.details.retryAfterSeconds).toBe(Math.ceil((midnightBefore(now) + dayMs - now) / 1000));
            return true;
          }
          if (!(error instanceof Died)) throw error;
        }
      }
    },
    find: async (taskId: string) => (await stores.tasks.find(taskId)) ?? expect.fail('a task is missing'),
  };
}

export type World = Awaited<ReturnType<typeof openWorld>>;
