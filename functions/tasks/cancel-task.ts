import { generationOf } from '../../shared/contracts/generate.ts';
import { tasksContracts } from '../../shared/contracts/tasks.ts';
import { accounts, circuits, engineJobs, tasks } from '../../shared/domain/store-ports.ts';
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
  'engines' | 'queue' | 'workflow' | 'accounts' | 'circuits' | 'engineJobs' | 'tasks'
> = async (request, context) => {
  const { actor, fail, params } = request;
  // The account is read as well, because it counts its cancels: see endTask.
  const [task, account] = await Promise.all([
    context.tasks.find(params.taskId),
    context.accounts.find(actor.accountId),
  ]);
  if (task?.accountId !== actor.accountId) return fail('NOT_FOUND');
  if (actor.kind === 'token') requireScope([generationOf(task.taskType).scope], actor);

  const canceledBy = actor.kind === 'token' ? actor.tokenId : 'owner';
  const ended = await endTask(context, task, { status: 'failed', code: 'CANCELED', canceledBy }, account);
  if (!ended) fail('TASK_NOT_CANCELABLE');
  const canceled = await context.tasks.findWithDeliveries(task.taskId);
  // The task may have been deleted at the same time.
  if (!canceled) return fail('NOT_FOUND');
  return presentTask(canceled.task, canceled.attempts, context.settings);
};

export const definition = sharedLambda(tasksContracts.cancelTask, cancelTask, {
  accounts,
  circuits,
  engineJobs,
  tasks,
  engines: clipEngines,
  queue: webhookQueue,
  workflow: stepFunctions,
});
