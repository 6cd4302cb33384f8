import { dashboardDeliveryContracts } from '../../shared/contracts/dashboard-deliveries.ts';
import { readable } from '../../shared/domain/readable-rows.ts';
import { tasks } from '../../shared/domain/store-ports.ts';
import { presentAttempts } from '../../shared/domain/tasks/present-task.ts';
import { type ListedDelivery, listDeliveries as list } from '../../shared/domain/webhooks/list-deliveries.ts';
import { timestamp } from '../../shared/platform/clock.ts';
import type { DashboardOperation } from '../../shared/runtime/operation-types.ts';
import { sessionLambda } from '../../shared/runtime/session-lambda.ts';

function present({ task, attempts }: ListedDelivery) {
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
    attempts: presentAttempts(attempts),
    endedAt: timestamp(endedAt),
  };
}

/** Lists the webhooks of the account's ended tasks, failed ones first. */
export const listDeliveries: DashboardOperation<'listDeliveries', 'tasks'> = async ({ actor, query }, context) => {
  const { limit, offset } = query;
  const found = await list(context, actor.accountId, query);
  const kind = { kind: 'webhook', idOf: ({ task }: ListedDelivery) => task.taskId };
  return { deliveries: readable(context.table, kind, found, present), limit, offset };
};

export const definition = sessionLambda(dashboardDeliveryContracts.listDeliveries, listDeliveries, { tasks });
