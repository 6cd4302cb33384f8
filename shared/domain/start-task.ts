/** Starts the workflow of a task that has been committed. */
import type { Logger } from '@aws-lambda-powertools/logger';
import type { GenerateInput } from '../contracts/workflow.ts';
import type { Workflow } from '../platform/workflow.ts';
import type { Task } from './task.ts';

export const executionOf = (task: Pick<Task, 'taskId' | 'accountId' | 'callbackUrl'>): GenerateInput => ({
  taskId: task.taskId,
  accountId: task.accountId,
  callbackRequested: task.callbackUrl !== undefined,
});

/** The promise is already durable: a start that fails is made up for by the sweeper, so the caller need not know. */
export async function startTask(
  { workflow, logger }: { readonly workflow: Workflow; readonly logger: Logger },
  { taskId, accountId, callbackRequested }: GenerateInput,
): Promise<void> {
  try {
    // Always in this order: the same name with the same text is the same execution, with another text it is a clash.
    await workflow.start(taskId, { taskId, accountId, callbackRequested });
  } catch (error) {
    logger.warn('start failed', { taskId, reason: (error as Error).name });
  }
}
