import { taskStatuses, tasksContracts } from '../../shared/contracts/tasks.ts';
import { presentTaskSummary } from '../../shared/domain/tasks/present-task.ts';
import type { Task } from '../../shared/domain/tasks/task.ts';
import type { TaskStore } from '../../shared/domain/tasks/task-store.ts';
import { httpLambda } from '../../shared/runtime/http-lambda.ts';
import type { Operation, OperationRequest } from '../../shared/runtime/operation-types.ts';

type Query = OperationRequest<'listTasks'>['query'];

/** How many of the newest tasks the filters without an index of their own look through. */
const filteredTasks = 1000;

/** How many tasks one request to the table brings. */
const batchSize = 100;

const newestFirst = (one: Task, other: Task): number => (one.taskId < other.taskId ? 1 : -1);

const matches = ({ status, taskType, clientReference }: Query) => {
  return (task: Task): boolean =>
    (status === undefined || task.status === status) &&
    (taskType === undefined || task.taskType === taskType) &&
    (clientReference === undefined || task.clientReference === clientReference);
};

async function readAll(tasks: TaskStore, ids: readonly string[]): Promise<Task[]> {
  const batches = Array.from({ length: Math.ceil(ids.length / batchSize) }, (_, position) =>
    ids.slice(position * batchSize, (position + 1) * batchSize),
  );
  return (await Promise.all(batches.map((batch) => tasks.findMany(batch)))).flat().toSorted(newestFirst);
}

/** The page of tasks that a query asks for, by the narrowest way to them. */
async function find(tasks: TaskStore, accountId: string, query: Query): Promise<Task[]> {
  const { ids, limit, offset, taskType, clientReference } = query;
  const status = taskStatuses.find((known) => known === query.status);
  if (query.status === 'queued') return [];
  if (!ids && taskType === undefined && clientReference === undefined) {
    return (await readAll(tasks, await tasks.ids(accountId, status, { limit, offset }))).filter(matches(query));
  }
  const candidates = ids ?? (await tasks.ids(accountId, status, { limit: filteredTasks, offset: 0 }));
  const found = (await readAll(tasks, candidates)).filter((task) => task.accountId === accountId);
  return found.filter(matches(query)).slice(offset, offset + limit);
}

/** Lists the account's tasks, newest first. */
export const listTasks: Operation<'listTasks'> = async ({ caller, query }, { settings, tasks }) => {
  const found = await find(tasks, caller.accountId, query);
  return {
    tasks: found.map((task) => presentTaskSummary(task, settings.resultsUrl)),
    limit: query.limit,
    offset: query.offset,
  };
};

export const handler = httpLambda(tasksContracts.listTasks, listTasks);
