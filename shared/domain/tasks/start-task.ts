/** Starts the workflow of a committed task. */
import type { Logger } from '@aws-lambda-powertools/logger';
import type { GenerateInput, WorkflowName } from '../../contracts/workflow.ts';
import type { Workflow } from '../../platform/workflow.ts';

/**
 * The input of a task's execution. It is the same at every start, because Step Functions rejects a repeated start with
 * another input.
 */
export const executionOf = (taskId: string): GenerateInput => ({ taskId });

const taskWorkflow: WorkflowName = 'generate';

export const startExecution = (workflow: Workflow, taskId: string): Promise<'running' | 'ended'> =>
  workflow.start(taskWorkflow, taskId, executionOf(taskId));

/** Starts the execution. Errors are logged only: the task is stored, and the sweeper repeats a failed start. */
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
