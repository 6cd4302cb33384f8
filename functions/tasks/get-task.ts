import { tasksContracts } from '../../shared/contracts/tasks.ts';
import { tasks } from '../../shared/domain/store-ports.ts';
import { pollAfterSeconds } from '../../shared/domain/tasks/polling-hint.ts';
import { presentTask } from '../../shared/domain/tasks/present-task.ts';
import { isTerminal } from '../../shared/domain/tasks/task.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';
import { sharedLambda } from '../../shared/runtime/shared-lambda.ts';

/** Returns a task of the actor's account. */
export const getTask: Operation<'getTask', 'tasks'> = async (request, { clock, settings, tasks }) => {
  const { actor, fail, params, retryAfter } = request;
  const found = await tasks.findWithDeliveries(params.taskId);
  if (found?.task.accountId !== actor.accountId) return fail('NOT_FOUND');
  if (!isTerminal(found.task)) retryAfter(pollAfterSeconds(found.task, clock.now()));
  return presentTask(found.task, found.attempts, settings);
};

export const definition = sharedLambda(tasksContracts.getTask, getTask, { tasks });
