import { taskEventsContracts } from '../../shared/contracts/task-events.ts';
import { tasks } from '../../shared/domain/store-ports.ts';
import { eventsOf } from '../../shared/domain/tasks/task-events.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';
import { sharedLambda } from '../../shared/runtime/shared-lambda.ts';

/** Lists what happened to a task of the actor's account. */
export const listTaskEvents: Operation<'listTaskEvents', 'tasks'> = async ({ actor, fail, params }, { tasks }) => {
  const found = await tasks.findWithDeliveries(params.taskId);
  if (found?.task.accountId !== actor.accountId) return fail('NOT_FOUND');
  return { taskId: params.taskId, events: eventsOf(found.task, found.attempts) };
};

export const definition = sharedLambda(taskEventsContracts.listTaskEvents, listTaskEvents, { tasks });
