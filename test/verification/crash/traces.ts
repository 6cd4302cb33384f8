/** The traces of one task in every part of the service, in a form that is easy to compare. */
import type { TaskStatus } from '../../../shared/contracts/task-statuses.ts';
import type { WebhookStatus } from '../../../shared/contracts/webhook-statuses.ts';
import type { DeliveryAttempt } from '../../../shared/domain/tasks/delivery-attempt.ts';
import { ofAccount, type Snapshot } from '../oracle/snapshot.ts';
import type { CrashWorld } from './crash-world.ts';
import type { Customer } from './customer.ts';

export interface Traces {
  /** The number of the account's tasks; if there is one, all other traces are about it. */
  readonly tasks: number;
  readonly taskId: string | undefined;
  readonly status: TaskStatus | undefined;
  readonly webhook: WebhookStatus | undefined;
  /** The number of slots that the account occupies. */
  readonly slots: number;
  /** The debits and refunds for tasks, oldest first. */
  readonly ledger: readonly number[];
  /** The attributes that its engine job has, out of `token`, `reference` and `outcome`, in this order. */
  readonly job: readonly string[];
  /** How often the job was submitted to the external engine. */
  readonly submissions: number;
  /** How often a file was stored in the bucket. */
  readonly stored: number;
  readonly attempts: readonly ('under way' | 'delivered' | 'failed' | 'interrupted')[];
  /** How many webhook attempts have reached the receiver. */
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
