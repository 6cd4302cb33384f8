/** The only way out of a task: the terminal transaction, and what follows from it, once. */
import type { Logger } from '@aws-lambda-powertools/logger';
import type { TaskErrorCode } from '../../contracts/errors.ts';
import { generationOf } from '../../contracts/generate.ts';
import type { Engines } from '../../engines/engines.ts';
import type { Clock } from '../../platform/clock.ts';
import { TransactionCanceled } from '../../platform/dynamo-table.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Queue } from '../../platform/queue.ts';
import type { Workflow } from '../../platform/workflow.ts';
import { releaseSlot } from '../accounts/account-store.ts';
import { appendLedgerRow } from '../accounts/ledger-store.ts';
import { stopJobs } from '../engine-jobs/stop-jobs.ts';
import { judgeEngine } from '../generation/judge-engine.ts';
import { insertInfluencer } from '../influencers/influencer-store.ts';
import type { ServiceMetrics } from '../metrics.ts';
import type { Stores } from '../stores.ts';
import { requestDelivery } from '../webhooks/request-delivery.ts';
import { deliveryCheckMs, isTerminal, refundOf, type StoredResult, type Task, transitions } from './task.ts';
import { closeTask } from './task-item.ts';

/** How a task ends: with results, or with a reason. `isOwn` marks a failure that was not caused by the engine. */
export type End =
  | { readonly status: 'completed'; readonly results: readonly StoredResult[] }
  | {
      readonly status: 'failed';
      readonly code: TaskErrorCode;
      /** What is wrong with which field, in our own words. */
      readonly detail?: string | undefined;
      readonly isOwn?: true | undefined;
    };

export interface EndTaskNeeds extends Pick<Stores, 'circuits' | 'engineJobs' | 'table'> {
  readonly clock: Clock;
  readonly engines: Engines;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly metrics: ServiceMetrics;
  readonly queue: Queue;
  readonly workflow: Workflow;
}

function recordEnd(metrics: ServiceMetrics, { cost, taskType }: Task, end: End): void {
  const operation = generationOf(taskType).operationId;
  if (end.status === 'completed') metrics.record({ TasksCompleted: 1 }, { operation });
  else if (end.code === 'CANCELED') metrics.record({ TasksCanceled: 1, CreditsRefunded: cost }, { operation });
  else metrics.record({ TasksFailed: 1, CreditsRefunded: cost }, { operation, code: end.code });
}

const failureOf = ({ code, detail }: Extract<End, { status: 'failed' }>) => ({
  errorCode: code,
  ...(detail !== undefined && { errorDetail: detail }),
});

/** Status, slot, refund and whatever a completed task leaves behind: all or nothing. False when it had ended before. */
async function commit({ table, clock, ids }: EndTaskNeeds, task: Task, end: End): Promise<boolean> {
  const { taskId, tokenId, accountId, taskType } = task;
  const now = clock.now();
  const transition = transitions[end.status];
  const ending = end.status === 'completed' ? { results: end.results } : failureOf(end);
  const refund = refundOf({ status: transition.to, cost: task.cost });
  const row = { accountId, amount: refund, reason: 'refund', at: now, taskType, taskId, tokenId } as const;
  try {
    await table.transact([
      closeTask(task, transition, { ...ending, endedAt: now }, now + deliveryCheckMs),
      releaseSlot(accountId, taskId, refund),
      ...(refund > 0 ? [appendLedgerRow({ id: ids.next(), ...row })] : []),
      ...(end.status === 'completed' && task.influencerId !== undefined
        ? [insertInfluencer(task, task.influencerId, end.results, now)]
        : []),
    ]);
    return true;
  } catch (error) {
    if (error instanceof TransactionCanceled && error.failures[0]?.item) return false;
    throw error;
  }
}

/** The task is terminal by now, and the sweeper makes up for an unsent webhook: a failure here is only logged. */
async function followUp(needs: EndTaskNeeds, task: Task, end: End): Promise<void> {
  await judgeEngine(needs, task, end);
  // At the same time: an engine that is slow to cancel its job must not delay the webhook.
  const steps = await Promise.allSettled([
    end.status === 'failed' ? stopJobs(needs, task.taskId, end.code) : undefined,
    requestDelivery(needs.queue, task),
  ]);
  for (const step of steps) {
    if (step.status === 'fulfilled') continue;
    const reason = (step.reason as Error).name;
    needs.logger.warn('task end follow-up failed', { taskId: task.taskId, reason });
  }
}

/**
 * Ends a task. True when this call ended it, false when it had already ended: a later caller changes nothing and
 * notifies nobody.
 */
export async function endTask(needs: EndTaskNeeds, task: Task, end: End): Promise<boolean> {
  if (isTerminal(task) || !(await commit(needs, task, end))) return false;
  recordEnd(needs.metrics, task, end);
  await followUp(needs, task, end);
  return true;
}
