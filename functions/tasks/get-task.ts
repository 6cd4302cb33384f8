import { tasksContracts } from '../../shared/contracts/tasks.ts';
import { presentTask } from '../../shared/domain/tasks/present-task.ts';
import { httpLambda } from '../../shared/runtime/http-lambda.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';

/** Reads a task of the caller's account. */
export const getTask: Operation<'getTask'> = async ({ caller, fail, params }, { settings, tasks }) => {
  const found = await tasks.findWithDeliveries(params.taskId);
  if (found?.task.accountId !== caller.accountId) return fail('NOT_FOUND');
  return presentTask(found.task, found.attempts, settings.resultsUrl);
};

export const handler = httpLambda(tasksContracts.getTask, getTask);
