/** Enqueues the delivery of an ended task's webhook, if its creator asked for one. */
import type { Queue } from '../../platform/queue.ts';
import type { Task } from '../tasks/task.ts';

export async function requestDelivery(queue: Queue, task: Task, attempt = task.webhookFrom ?? 1): Promise<void> {
  if (!task.callbackUrl) return;
  await queue.send({ taskId: task.taskId, attempt }, { delaySeconds: 0, group: task.accountId });
}
