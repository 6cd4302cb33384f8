/** Sends the webhook of an ended task again, in a new series of attempts. */
import { deliveryAttemptsLimit, deliverySeriesLimit } from '../../contracts/limits.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Queue } from '../../platform/queue.ts';
import { Rejection } from '../rejection.ts';
import type { Stores } from '../stores.ts';
import type { DeliveryAttempt } from '../tasks/delivery-attempt.ts';
import { deliveryCheckMs, isTerminal, type Task } from '../tasks/task.ts';
import { requestDelivery } from '../webhooks/request-delivery.ts';
import { nextSeries } from '../webhooks/webhook.ts';

interface Needs extends Pick<Stores, 'tasks'> {
  readonly clock: Clock;
  readonly queue: Queue;
}

function problemOf({ callbackUrl, status, taskId, webhookStatus }: Task): string | undefined {
  if (!isTerminal({ status })) return `Task ${taskId} is ${status}: its webhook is sent when it ends.`;
  if (callbackUrl === undefined) return `Task ${taskId} was created without a callbackUrl.`;
  if (webhookStatus !== 'pending') return undefined;
  return `The webhook of task ${taskId} is pending: attempts are in progress. Try again when they have ended.`;
}

/** Starts a new series and returns its first attempt. @throws {Rejection} not-redeliverable */
export async function redeliverWebhook(
  { clock, queue, tasks }: Needs,
  { task, attempts }: { readonly task: Task; readonly attempts: readonly DeliveryAttempt[] },
): Promise<number> {
  const message = problemOf(task);
  if (message !== undefined) throw new Rejection('not-redeliverable', { message });
  // The task also records its latest series, because stored attempts expire.
  const attempt = nextSeries(Math.max(task.webhookFrom ?? 0, attempts.at(-1)?.attempt ?? 0));
  if (attempt > deliveryAttemptsLimit) {
    throw new Rejection('not-redeliverable', {
      message: `The webhook of task ${task.taskId} has been sent too often: ${deliverySeriesLimit} series of attempts are possible.`,
    });
  }
  // The attempt is recorded before it is enqueued, so that the sweeper resends a lost message.
  await tasks.reopenWebhook(task.taskId, attempt, clock.now() + deliveryCheckMs);
  await requestDelivery(queue, task, attempt);
  return attempt;
}
