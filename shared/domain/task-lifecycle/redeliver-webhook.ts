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

function problemOf({ callbackUrl, inputsErasedAt, status, taskId, webhookStatus }: Task): string | undefined {
  if (!isTerminal({ status })) return `Task ${taskId} is ${status}: its webhook is sent when it ends.`;
  if (inputsErasedAt !== undefined) return `The inputs of task ${taskId}, and with them its callbackUrl, were erased.`;
  if (callbackUrl === undefined) return `Task ${taskId} was created without a callbackUrl.`;
  if (webhookStatus !== 'pending') return undefined;
  return `The webhook of task ${taskId} is pending: attempts are in progress. Try again when they have ended.`;
}

const hourMs = 3_600_000;

/** Every series but the first begins with a redelivery, whose time is that of its first attempt. */
const isRedelivery = ({ attempt }: DeliveryAttempt): boolean => attempt > 1 && attempt === nextSeries(attempt - 1);

/**
 * Requires that fewer than the given number of redeliveries began within the last hour. @throws {Rejection}
 * rate-limited
 */
function requireRoom(attempts: readonly DeliveryAttempt[], perHour: number, now: number): void {
  const begun = attempts.filter((one) => isRedelivery(one) && one.at > now - hourMs);
  const oldest = begun.at(-perHour);
  if (!oldest) return;
  throw new Rejection('rate-limited', {
    message: `The webhook of the task was sent again ${perHour} times within an hour: wait for the number of seconds in Retry-After.`,
    retryAfterSeconds: Math.ceil((oldest.at + hourMs - now) / 1000),
  });
}

/**
 * Starts a new series and returns its first attempt; operators may do so at any time, owners a limited number of times
 * in an hour. @throws {Rejection} not-deliverable, rate-limited
 */
export async function redeliverWebhook(
  { clock, queue, tasks }: Needs,
  { task, attempts }: { readonly task: Task; readonly attempts: readonly DeliveryAttempt[] },
  perHour?: number,
): Promise<number> {
  const message = problemOf(task);
  if (message !== undefined) throw new Rejection('not-deliverable', { message });
  if (perHour !== undefined) requireRoom(attempts, perHour, clock.now());
  // The task also records its latest series, because stored attempts expire.
  const attempt = nextSeries(Math.max(task.webhookFrom ?? 0, attempts.at(-1)?.attempt ?? 0));
  if (attempt > deliveryAttemptsLimit) {
    throw new Rejection('not-deliverable', {
      message: `The webhook of task ${task.taskId} has been sent too often: ${deliverySeriesLimit} series of attempts are possible.`,
    });
  }
  // The attempt is recorded before it is enqueued, so that the sweeper resends a lost message.
  const found = await tasks.reopenWebhook(task.taskId, attempt, clock.now() + deliveryCheckMs);
  if (found === 'deleted') {
    throw new Rejection('not-deliverable', { message: `Task ${task.taskId} was deleted in the meantime.` });
  }
  await requestDelivery(queue, task, attempt);
  return attempt;
}
