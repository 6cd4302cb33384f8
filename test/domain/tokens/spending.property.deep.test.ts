/**
 * The tasks of a token with a monthly cap never cost more than the cap in any month. The stored sum is exactly what
 * they cost minus what was refunded, whatever runs concurrently, crashes, or crosses the end of a month.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { generationOf } from '../../../shared/contracts/generate.ts';
import { commitTask } from '../../../shared/domain/generation/commit-task.ts';
import { stores as storesOf } from '../../../shared/domain/stores.ts';
import { endTask } from '../../../shared/domain/task-lifecycle/end-task.ts';
import type { Task } from '../../../shared/domain/tasks/task.ts';
import { findSpent, monthAt } from '../../../shared/domain/tokens/spending.ts';
import type { Table } from '../../../shared/platform/dynamo-table.ts';
import { closedCircuits } from '../../support/closed-circuits.ts';
import { unreachable } from '../../support/end-unnotified.ts';
import { modelRuns } from '../../support/model-runs.ts';
import { recordedMetrics } from '../../support/recorded-metrics.ts';
import { RecordingLogger } from '../../support/recording-logger.ts';
import { anAccount, aTask, tableInTests, testIds } from '../../support/test-table.ts';

const host = await tableInTests();

/** A few seconds before the end of a month. */
const beforeMonthEnd = Date.UTC(2030, 1, 0, 23, 59, 55);
const opening = 1000;

/** Whether the process survives a write, or crashes before it or right after it. */
type Outcome = 'lives' | 'dies before' | 'dies after';

class Died extends Error {}

const mortal = (outcome: Outcome): Table => ({
  ...host.table,
  async transact(actions) {
    if (outcome === 'dies before') throw new Died();
    await host.table.transact(actions);
    if (outcome === 'dies after') throw new Died();
  },
});

const unlessDied = (error: unknown) => {
  if (!(error instanceof Died)) throw error;
  return undefined;
};

async function world(cap: number) {
  let now = beforeMonthEnd;
  const clock = { now: () => now };
  const stores = { ...storesOf(host.table, clock), circuits: closedCircuits };
  const account = anAccount({ balance: opening });
  const tokenId = testIds.next();
  await stores.accounts.insert(account, undefined);
  const needs = { ...stores, ...unreachable, clock, ids: testIds, logger: new RecordingLogger() };
  const tried: Task[] = [];

  return {
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    async create(cost: number, outcome: Outcome) {
      const { accountId } = account;
      const task = aTask({ accountId, tokenId, cost, createdAt: now, cappedMonth: monthAt(now) });
      tried.push(task);
      const accepted = { taskId: task.taskId, status: 'queued' } as const;
      const created = { task, accepted, idempotency: undefined, requestId: task.taskId, cap };
      return commitTask({ ...needs, table: mortal(outcome) }, generationOf('voice'), created).catch(unlessDied);
    },
    async end(index: number, isFailed: boolean, outcome: Outcome) {
      const { taskId } = tried[index % Math.max(1, tried.length)] ?? {};
      const task = taskId === undefined ? undefined : await stores.tasks.find(taskId);
      const how = isFailed
        ? ({ status: 'failed', code: 'CANCELED' } as const)
        : ({ status: 'completed', results: [] } as const);
      if (task)
        await endTask({ ...needs, table: mortal(outcome), metrics: recordedMetrics() }, task, how).catch(unlessDied);
    },
    /**
     * For each month, what the token has spent according to its stored count, and what its tasks that did not fail
     * cost: the two must be equal.
     */
    async months() {
      const found = await stores.tasks.findMany(tried.map(({ taskId }) => taskId));
      const months = [...new Set(tried.map(({ createdAt }) => monthAt(createdAt)))];
      return Promise.all(
        months.map(async (month) => {
          const charged = found.filter(({ cappedMonth, status }) => cappedMonth === month && status !== 'failed');
          const cost = charged.reduce((sum, task) => sum + task.cost, 0);
          return { month, count: await findSpent(host.table, tokenId, month), cost };
        }),
      );
    },
  };
}

const outcome = fc.constantFrom<Outcome>('lives', 'lives', 'lives', 'dies before', 'dies after');
const creation = fc.record({ kind: fc.constant('create'), cost: fc.integer({ min: 1, max: 6 }), outcome });
const ending = fc.record({ kind: fc.constant('end'), index: fc.nat(30), isFailed: fc.boolean(), outcome });
const steps = fc.array(
  fc.record({
    later: fc.constantFrom(0, 0, 4000, 40 * 24 * 3_600_000),
    actions: fc.array(fc.oneof(creation, ending), { minLength: 1, maxLength: 6 }),
  }),
  { minLength: 1, maxLength: 6 },
);

test('the tasks of a month never cost more than the token’s cap, and the stored sum excludes refunded tasks', async () => {
  const seen = { capped: 0, made: 0, severalMonths: 0 };
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 15 }), steps, async (cap, plan) => {
      const at = await world(cap);
      for (const { later, actions } of plan) {
        at.pass(later);
        const outcomes = await Promise.all(
          actions.map((action) =>
            action.kind === 'create'
              ? at.create(action.cost, action.outcome)
              : at.end(action.index, action.isFailed, action.outcome),
          ),
        );
        const statuses = outcomes.map((outcome) => outcome?.status);
        seen.capped += statuses.filter((status) => status === 'capped').length;
        seen.made += statuses.filter((status) => status === 'made').length;
        const months = await at.months();
        if (months.length > 1) seen.severalMonths += 1;
        for (const { month, count, cost } of months) {
          expect([month, count]).toEqual([month, cost]);
          expect(count).toBeLessThanOrEqual(cap);
        }
      }
    }),
    modelRuns(25),
  );
  for (const [kind, count] of Object.entries(seen)) expect([kind, count > 0]).toEqual([kind, true]);
});
