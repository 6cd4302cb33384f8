/** Starts the workflow of a task that has been committed. */
import type { Logger } from '@aws-lambda-powertools/logger';
import type { GenerateInput, WorkflowName } from '../../contracts/workflow.ts';
import type { Workflow } from '../../platform/workflow.ts';

/** The input of its execution: the same name with the same input is the same execution, with another input a clash. */
export const executionOf = (taskId: string): GenerateInput => ({ taskId });

const taskWorkflow: WorkflowName = 'generate';

export const startExecution = (workflow: Workflow, taskId: string): Promise<'running' | 'ended'> =>
  workflow.start(taskWorkflow, taskId, executionOf(taskId));

/** The task is stored already: the sweeper repeats a failed start, so the caller need not know. */
export async function startTask(
  { workflow, logger }: { readonly workflow: Workflow; readonly logger: Logger },
  taskId: string,
): Promise<void> {
  try {
    await startExecution(workflow, taskId);
  } catch (error) {
    logger.warn('start failed', { taskId, reason: (error as Error).name });
  }
}
