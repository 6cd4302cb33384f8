/** What one task has left behind in every part of the service, in a form that is easy to compare. */
import type { TaskStatus } from '../../../shared/contracts/task-statuses.ts';
import type { WebhookStatus } from '../../../shared/contracts/webhook-statuses.ts';
import type { DeliveryAttempt } from '../../../shared/domain/tasks/delivery-attempt.ts';
import { ofAccount, type Snapshot } from '../oracle/snapshot.ts';
import type { CrashWorld } from './crash-world.ts';
import type { Customer } from './customer.ts';

export interface Traces {
  /** How many tasks the account has; everything below is about the only one. */
  readonly tasks: number;
  readonly taskId: string | undefined;
  readonly status: TaskStatus | undefined;
  readonly webhook: WebhookStatus | undefined;
  /** How many slots its account has taken. */
  readonly slots: number;
  /** What was debited and refunded for tasks, oldest first. */
  readonly ledger: readonly number[];
  /** Which of `token`, `reference` and `outcome` its engine job has, in this order. */
  readonly job: readonly string[];
  /** How often it was submitted to the engine outside. */
  readonly submissions: number;
  /** How often a file was put into the bucket. */
  readonly stored: number;
  readonly attempts: readonly ('under way' | 'delivered' | 'failed' | 'interrupted')[];
  /** How many posts have reached the receiver. */
  readonly posts: number;
}

function attemptOf({ result }: DeliveryAttempt): Traces['attempts'][number] {
  if (!result) return 'under way';
  if (result.delivered) return 'delivered';
  return result.error === 'interrupted' ? 'interrupted' : 'failed';
}

export function tracesIn({ engine, receiver }: CrashWorld, { accountId, track }: Customer, snapshot: Snapshot): Traces {
  const { accounts, deliveries, jobs, ledger, tasks } = ofAccount(snapshot, accountId);
  const [task] = tasks.values();
  const taskId = task?.taskId ?? '';
  return {
    tasks: tasks.size,
    taskId: task?.taskId,
    status: task?.status,
    webhook: task?.webhookStatus,
    slots: [...accounts.values()].reduce((count, { openTasks }) => count + openTasks.length, 0),
    ledger: ledger
      .filter((row) => row.taskId !== undefined)
      .toSorted((one, other) => (one.id < other.id ? -1 : 1))
      .map(({ amount }) => amount),
    job: ['token', 'reference', 'outcome'].filter((name) => Object.hasOwn(jobs.get(taskId) ?? {}, name)),
    submissions: engine.jobs.get(taskId)?.submissions ?? 0,
    stored: track.calls.filter(({ party, moment }) => party === 'storage' && moment === 'after').length,
    attempts: (deliveries.get(taskId) ?? []).map(attemptOf),
    posts: receiver.of(taskId).length,
  };
}
