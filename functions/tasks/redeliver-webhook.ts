import { generationOf } from '../../shared/contracts/generate.ts';
import { redeliveriesPerHour } from '../../shared/contracts/limits.ts';
import { taskEventsContracts } from '../../shared/contracts/task-events.ts';
import { tasks } from '../../shared/domain/store-ports.ts';
import { redeliverWebhook as redeliver } from '../../shared/domain/task-lifecycle/redeliver-webhook.ts';
import { webhookQueue } from '../../shared/platform/queue.ts';
import { requireScope } from '../../shared/runtime/authenticate-token.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';
import { sharedLambda } from '../../shared/runtime/shared-lambda.ts';

/** Sends the webhook of an ended task of the account again. */
export const redeliverWebhook: Operation<'redeliverWebhook', 'queue' | 'tasks'> = async (
  { actor, fail, params: { taskId } },
  context,
) => {
  const found = await context.tasks.findWithDeliveries(taskId);
  if (found?.task.accountId !== actor.accountId) return fail('NOT_FOUND');
  if (actor.kind === 'token') requireScope([generationOf(found.task.taskType).scope], actor);
  await redeliver(context, found, redeliveriesPerHour);
  return { taskId, status: 'pending' };
};

export const definition = sharedLambda(taskEventsContracts.redeliverWebhook, redeliverWebhook, {
  tasks,
  queue: webhookQueue,
});
