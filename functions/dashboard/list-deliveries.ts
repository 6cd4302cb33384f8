import { dashboardDeliveryContracts } from '../../shared/contracts/dashboard-deliveries.ts';
import { readable } from '../../shared/domain/readable-rows.ts';
import { tasks } from '../../shared/domain/store-ports.ts';
import { presentAttempts, resultUrlOf } from '../../shared/domain/tasks/present-task.ts';
import { type ListedDelivery, listDeliveries as list } from '../../shared/domain/webhooks/list-deliveries.ts';
import { constantHeaders, webhookBody } from '../../shared/domain/webhooks/webhook.ts';
import { timestamp } from '../../shared/platform/clock.ts';
import type { Settings } from '../../shared/platform/settings.ts';
import type { DashboardOperation } from '../../shared/runtime/operation-types.ts';
import { sessionLambda } from '../../shared/runtime/session-lambda.ts';

function present({ task, attempts }: ListedDelivery, { resultsUrl, serviceName }: Settings) {
  const { callbackUrl, endedAt, status, taskId, taskType, webhookStatus = 'pending' } = task;
  if (callbackUrl === undefined || endedAt === undefined || (status !== 'completed' && status !== 'failed')) {
    throw new Error(`task ${taskId} is listed as one whose webhook is delivered, but has none or has not ended`);
  }
  return {
    taskId,
    taskType,
    taskStatus: status,
    url: callbackUrl,
    status: webhookStatus,
    request: { headers: constantHeaders(task, serviceName), body: webhookBody(task, resultUrlOf(task, resultsUrl)) },
    attempts: presentAttempts(attempts),
    endedAt: timestamp(endedAt),
  };
}

/** Lists the webhooks of the account's ended tasks, failed ones first. */
export const listDeliveries: DashboardOperation<'listDeliveries', 'tasks'> = async ({ actor, query }, context) => {
  const { limit, offset } = query;
  const found = await list(context, actor.accountId, query);
  const kind = { kind: 'webhook', idOf: ({ task }: ListedDelivery) => task.taskId };
  return { deliveries: readable(context.table, kind, found, (row) => present(row, context.settings)), limit, offset };
};

export const definition = sessionLambda(dashboardDeliveryContracts.listDeliveries, listDeliveries, { tasks });
