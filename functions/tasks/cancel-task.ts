import { generationOf } from '../../shared/contracts/generate.ts';
import { tasksContracts } from '../../shared/contracts/tasks.ts';
import { circuits, engineJobs, tasks } from '../../shared/domain/store-ports.ts';
import { endTask } from '../../shared/domain/task-lifecycle/end-task.ts';
import { presentTask } from '../../shared/domain/tasks/present-task.ts';
import { clipEngines } from '../../shared/engines/clip-engines.ts';
import { webhookQueue } from '../../shared/platform/queue.ts';
import { stepFunctions } from '../../shared/platform/workflow.ts';
import { requireScope } from '../../shared/runtime/authenticate-token.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';
import { sharedLambda } from '../../shared/runtime/shared-lambda.ts';

/** Cancels an open task and refunds it. */
export const cancelTask: Operation<
  'cancelTask',
  'engines' | 'queue' | 'workflow' | 'circuits' | 'engineJobs' | 'tasks'
> = async (request, context) => {
  const { actor, fail, params } = request;
  const task = await context.tasks.find(params.taskId);
  if (task?.accountId !== actor.accountId) return fail('NOT_FOUND');
  if (actor.kind === 'token') requireScope([generationOf(task.taskType).scope], actor);

  const ended = await endTask(context, task, { status: 'failed', code: 'CANCELED' });
  if (!ended) fail('TASK_NOT_CANCELABLE');
  const canceled = await context.tasks.findWithDeliveries(task.taskId);
  // The task may have been deleted at the same time.
  if (!canceled) return fail('NOT_FOUND');
  return presentTask(canceled.task, canceled.attempts, context.settings);
};

export const definition = sharedLambda(tasksContracts.cancelTask, cancelTask, {
  circuits,
  engineJobs,
  tasks,
  engines: clipEngines,
  queue: webhookQueue,
  workflow: stepFunctions,
});
