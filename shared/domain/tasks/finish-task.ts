/** The only way out: makes a task terminal, frees its slot and refunds it if it failed, all at once and once. */
import type { TaskErrorCode } from '../../contracts/errors.ts';
import { generationOf } from '../../contracts/generate.ts';
import type { Clock } from '../../platform/clock.ts';
import { TransactionRefused } from '../../platform/dynamo-table.ts';
import type { Ids } from '../../platform/ids.ts';
import { releaseSlot } from '../accounts/account-store.ts';
import { appendLedgerRow } from '../accounts/ledger-store.ts';
import { insertInfluencer } from '../influencers/influencer-store.ts';
import type { ServiceMetrics } from '../metrics.ts';
import type { Stores } from '../stores.ts';
import { deliveryLookMs, isTerminal, refundOf, type StoredResult, type Task, transitions } from './task.ts';
import { endTask } from './task-item.ts';

/** How a task ended: with results, or with a reason. */
export type Finish =
  | { readonly status: 'completed'; readonly results: readonly StoredResult[] }
  | { readonly status: 'failed'; readonly code: TaskErrorCode };

interface Needs extends Stores {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly metrics: ServiceMetrics;
}

function tell(metrics: ServiceMetrics, { cost, taskType }: Task, finish: Finish): void {
  const operation = generationOf(taskType).operationId;
  if (finish.status === 'completed') metrics.record({ TasksCompleted: 1 }, { operation });
  else if (finish.code === 'CANCELED') metrics.record({ TasksCanceled: 1, CreditsRefunded: cost }, { operation });
  else metrics.record({ TasksFailed: 1, CreditsRefunded: cost }, { operation, code: finish.code });
}

/** True when this call ended the task, false when it had ended before: a late result is dropped. */
export async function finishTask({ table, clock, ids, metrics }: Needs, task: Task, finish: Finish): Promise<boolean> {
  if (isTerminal(task)) return false;
  const { taskId, accountId, taskType } = task;
  const now = clock.now();
  const transition = transitions[finish.status];
  const ending = finish.status === 'completed' ? { results: finish.results } : { errorCode: finish.code };
  const refund = refundOf({ status: transition.to, cost: task.cost });
  const row = { id: ids.next(), accountId, amount: refund, reason: 'refund', at: now, taskType, taskId } as const;
  try {
    await table.transact([
      endTask(task, transition, { ...ending, endedAt: now }, now + deliveryLookMs),
      releaseSlot(accountId, taskId, refund),
      ...(refund > 0 ? [appendLedgerRow(row)] : []),
      ...(finish.status === 'completed' && task.influencerId !== undefined
        ? [insertInfluencer(task, task.influencerId, finish.results, now)]
        : []),
    ]);
    tell(metrics, task, finish);
    return true;
  } catch (error) {
    if (error instanceof TransactionRefused && error.failures[0]?.item) return false;
    throw error;
  }
}
