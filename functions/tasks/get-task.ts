import { tasksContracts } from '../../shared/contracts/tasks.ts';
import { tasks } from '../../shared/domain/store-ports.ts';
import { presentTask } from '../../shared/domain/tasks/present-task.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';
import { sharedLambda } from '../../shared/runtime/shared-lambda.ts';

/** Returns a task of the actor's account. */
export const getTask: Operation<'getTask', 'tasks'> = async ({ actor, fail, params }, { settings, tasks }) => {
  const found = await tasks.findWithDeliveries(params.taskId);
  if (found?.task.accountId !== actor.accountId) return fail('NOT_FOUND');
  return presentTask(found.task, found.attempts, settings);
};

export const definition = sharedLambda(tasksContracts.getTask, getTask, { tasks });
