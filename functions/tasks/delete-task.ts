import { generationOf } from '../../shared/contracts/generate.ts';
import { tasksContracts } from '../../shared/contracts/tasks.ts';
import { circuits, deletedTasks, engineJobs, tasks } from '../../shared/domain/store-ports.ts';
import { deleteTask as deleteWithFiles } from '../../shared/domain/task-lifecycle/delete-task.ts';
import { evenDeleted } from '../../shared/domain/tasks/task-store.ts';
import { clipEngines } from '../../shared/engines/clip-engines.ts';
import { objectEraser } from '../../shared/platform/object-eraser.ts';
import { webhookQueue } from '../../shared/platform/queue.ts';
import { workStorage } from '../../shared/platform/work-storage.ts';
import { stepFunctions } from '../../shared/platform/workflow.ts';
import { requireScope } from '../../shared/runtime/authenticate-token.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';
import { sharedLambda } from '../../shared/runtime/shared-lambda.ts';

/** Deletes a task and erases its results, inputs and texts; a repeated request completes an interrupted deletion. */
export const deleteTask: Operation<
  'deleteTask',
  'circuits' | 'deletedTasks' | 'engineJobs' | 'engines' | 'objectEraser' | 'queue' | 'tasks' | 'work' | 'workflow'
> = async ({ actor, fail, params: { taskId } }, context) => {
  const task = await context.tasks.find(taskId, evenDeleted);
  if (task?.accountId !== actor.accountId || task.deletion?.erasedAt !== undefined) return fail('NOT_FOUND');
  if (actor.kind === 'token') requireScope([generationOf(task.taskType).scope], actor);
  await deleteWithFiles(context, task);
  return { taskId, deleted: true };
};

export const definition = sharedLambda(tasksContracts.deleteTask, deleteTask, {
  circuits,
  deletedTasks,
  engineJobs,
  tasks,
  engines: clipEngines,
  objectEraser,
  queue: webhookQueue,
  work: workStorage,
  workflow: stepFunctions,
});
