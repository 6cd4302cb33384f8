/** Tasks of simulated buyers, which processes start and end that may crash. */
import { generationOf } from '../../../shared/contracts/generate.ts';
import { commitTask } from '../../../shared/domain/generation/commit-task.ts';
import { stores } from '../../../shared/domain/stores.ts';
import { endTask } from '../../../shared/domain/task-lifecycle/end-task.ts';
import { isTerminal, type Task } from '../../../shared/domain/tasks/task.ts';
import type { Clock } from '../../../shared/platform/clock.ts';
import type { Table } from '../../../shared/platform/dynamo-table.ts';
import type { Ids } from '../../../shared/platform/ids.ts';
import { closedCircuits } from '../../support/closed-circuits.ts';
import { unreachable } from '../../support/end-unnotified.ts';
import { recordedMetrics } from '../../support/recorded-metrics.ts';
import { RecordingLogger } from '../../support/recording-logger.ts';
import { aTask } from '../../support/test-table.ts';
import { type Crash, mortal, pick, well } from './mortal-process.ts';

export function billingTasks(table: Table, { clock, ids }: { readonly clock: Clock; readonly ids: Ids }) {
  const tried: Task[] = [];
  const plain = stores(table, clock).tasks;

  async function endOne({ taskId }: Task, isFailed: boolean, crash: Crash): Promise<void> {
    const task = await plain.find(taskId);
    const needs = { ...stores(mortal(table, crash), clock), ...unreachable, clock, ids };
    const ports = { circuits: closedCircuits, logger: new RecordingLogger(), metrics: recordedMetrics() };
    // Canceled as if the account were closed, because the cancels of other accounts are limited.
    const end = isFailed
      ? ({ status: 'failed', code: 'CANCELED', isOfClosed: true } as const)
      : ({ status: 'completed', results: [] } as const);
    if (task) await endTask({ ...needs, ...ports }, task, end);
  }

  return {
    /** Starts a task, if the buyer has the credits. */
    async start(accountId: string, cost: number, crash: Crash): Promise<void> {
      const task = aTask({ accountId, cost });
      tried.push(task);
      const accepted = { taskId: task.taskId, status: 'queued' } as const;
      const created = { task, accepted, idempotency: undefined, requestId: ids.next() };
      await commitTask({ table: mortal(table, crash), ids }, generationOf('voice'), created);
    },
    /** Ends one of the tasks, as canceled or as completed. */
    async end(index: number, isFailed: boolean, crash: Crash): Promise<void> {
      const task = pick(tried, index);
      if (task) await endOne(task, isFailed, crash);
    },
    /** Fails all open tasks at once, without faults. */
    async failAll(): Promise<void> {
      await Promise.all(tried.map((task) => endOne(task, true, well.crash)));
    },
    /** The credits that a buyer's open and completed tasks have used. */
    async used(accountId: string): Promise<number> {
      const own = tried.filter((task) => task.accountId === accountId).map(({ taskId }) => taskId);
      const found = own.length === 0 ? [] : await plain.findMany(own);
      const using = found.filter((task) => !isTerminal(task) || task.status === 'completed');
      return using.reduce((total, { cost }) => total + cost, 0);
    },
  };
}
