/** Starts the workflow of a task that has been committed. */
import type { Logger } from '@aws-lambda-powertools/logger';
import type { GenerateInput } from '../../contracts/workflow.ts';
import type { Workflow } from '../../platform/workflow.ts';

/** What its execution is given: the same name with the same text is the same execution, with another text it is a clash. */
export const executionOf = (taskId: string): GenerateInput => ({ taskId });

/** The promise is already durable: a start that fails is made up for by the sweeper, so the caller need not know. */
export async function startTask(
  { workflow, logger }: { readonly workflow: Workflow; readonly logger: Logger },
  taskId: string,
): Promise<void> {
  try {
    await workflow.start(taskId, executionOf(taskId));
  } catch (error) {
    logger.warn('start failed', { taskId, reason: (error as Error).name });
  }
}
