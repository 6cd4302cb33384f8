import { dashboardUsageContracts } from '../../shared/contracts/dashboard-usage.ts';
import { tasks } from '../../shared/domain/store-ports.ts';
import { redeliverWebhook as redeliver } from '../../shared/domain/task-lifecycle/redeliver-webhook.ts';
import { webhookQueue } from '../../shared/platform/queue.ts';
import type { DashboardOperation } from '../../shared/runtime/operation-types.ts';
import { sessionLambda } from '../../shared/runtime/session-lambda.ts';

/** Sends the webhook of an ended task of the account again. */
export const redeliverWebhook: DashboardOperation<'redeliverWebhook', 'queue' | 'tasks'> = async (
  { actor, fail, params: { taskId } },
  context,
) => {
  const found = await context.tasks.findWithDeliveries(taskId);
  if (found?.task.accountId !== actor.accountId) return fail('NOT_FOUND');
  await redeliver(context, found);
  return { taskId, status: 'pending' };
};

export const definition = sessionLambda(dashboardUsageContracts.redeliverWebhook, redeliverWebhook, {
  tasks,
  queue: webhookQueue,
});
