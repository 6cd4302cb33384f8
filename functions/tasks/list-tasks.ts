import { taskStatuses } from '../../shared/contracts/task-statuses.ts';
import { tasksContracts } from '../../shared/contracts/tasks.ts';
import { readable } from '../../shared/domain/readable-rows.ts';
import { accounts, tasks } from '../../shared/domain/store-ports.ts';
import { findTasks } from '../../shared/domain/tasks/find-tasks.ts';
import { pollAfterSeconds } from '../../shared/domain/tasks/polling-hint.ts';
import { presentTaskSummary } from '../../shared/domain/tasks/present-task.ts';
import { isTerminal } from '../../shared/domain/tasks/task.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';
import { sharedLambda } from '../../shared/runtime/shared-lambda.ts';

/** Lists the account's tasks, newest first. No task ever has the status `queued`, which only creation responses use. */
export const listTasks: Operation<'listTasks', 'accounts' | 'tasks'> = async (
  { actor, query, retryAfter },
  context,
) => {
  const status = taskStatuses.find((known) => known === query.status);
  const found = query.status === 'queued' ? [] : await findTasks(context, actor.accountId, { ...query, status });
  const now = context.clock.now();
  const hints = found.filter((task) => !isTerminal(task)).map((task) => pollAfterSeconds(task, now));
  if (hints.length > 0) retryAfter(Math.min(...hints));
  return {
    tasks: readable(context.table, { kind: 'task', idOf: ({ taskId }) => taskId }, found, (task) =>
      presentTaskSummary(task, context.settings),
    ),
    limit: query.limit,
    offset: query.offset,
  };
};

export const definition = sharedLambda(tasksContracts.listTasks, listTasks, { accounts, tasks });
