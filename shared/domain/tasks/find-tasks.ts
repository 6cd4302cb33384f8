/** Finds an account's tasks that match a query, newest first, from an index for exactly that query. */

import type { TaskStatus } from '../../contracts/task-statuses.ts';
import type { TaskType } from '../../contracts/task-types.ts';
import type { ListRange } from '../list-page.ts';
import type { Stores } from '../stores.ts';
import { isTerminal, type Task } from './task.ts';

export interface TaskQuery extends ListRange {
  readonly ids?: readonly string[] | undefined;
  readonly status?: TaskStatus | undefined;
  readonly taskType?: TaskType | undefined;
  readonly clientReference?: string | undefined;
}

type Finder = Pick<Stores, 'accounts' | 'tasks'>;

const newestFirst = (one: Pick<Task, 'taskId'>, other: Pick<Task, 'taskId'>): number =>
  one.taskId < other.taskId ? 1 : -1;

const matches = ({ status, taskType, clientReference, after }: TaskQuery) => {
  return (task: Task): boolean =>
    (status === undefined || task.status === status) &&
    (taskType === undefined || task.taskType === taskType) &&
    (clientReference === undefined || task.clientReference === clientReference) &&
    (after === undefined || task.taskId < after);
};

async function among(tasks: Finder['tasks'], ids: readonly string[], query: TaskQuery): Promise<Task[]> {
  return (await tasks.findReadable(ids)).filter(matches(query)).toSorted(newestFirst);
}

const page = <Entry>(entries: readonly Entry[], { limit, offset }: TaskQuery): Entry[] =>
  entries.slice(offset, offset + limit);

/** The ids of an account's open tasks, which the account itself lists: there are few of them, and each holds a slot. */
async function openIds({ accounts }: Finder, accountId: string): Promise<readonly string[]> {
  return (await accounts.find(accountId))?.openTasks ?? [];
}

/**
 * The ids in the index, plus open tasks that the index may not have yet: a task is found as soon as its creation was
 * acknowledged, and stays in the list however it ends.
 */
async function listed(finder: Finder, accountId: string, query: TaskQuery): Promise<Task[]> {
  const { tasks } = finder;
  const { taskType, clientReference, status, after, limit, offset } = query;
  const state = status === 'completed' || status === 'failed' ? status : undefined;
  const wanted = offset + limit;
  const [ids, open] = await Promise.all([
    tasks.ids(accountId, { taskType, clientReference, state }, { limit: wanted, offset: 0, after }),
    state ? [] : openIds(finder, accountId),
  ]);
  const oldest = ids.length < wanted ? '' : (ids.at(-1) ?? '');
  const known = new Set(ids);
  const unlisted = open.filter((id) => !known.has(id) && id > oldest);
  const read = await tasks.findReadable([...unlisted, ...ids.slice(Math.max(0, offset - unlisted.length))]);
  const found = new Map(read.filter(matches(query)).map((task) => [task.taskId, task]));
  const all = [...unlisted.filter((id) => found.has(id)), ...ids].toSorted((one, other) => (one < other ? 1 : -1));
  return page(all, query).flatMap((id) => found.get(id) ?? []);
}

/** A task that changes during the search is returned in its old or its new state. */
export async function findTasks(finder: Finder, accountId: string, query: TaskQuery): Promise<Task[]> {
  const { ids, status } = query;
  if (ids) {
    const found = await among(finder.tasks, ids, query);
    const own = found.filter((task) => task.accountId === accountId);
    return page(own, query);
  }
  if (status && !isTerminal({ status })) {
    return page(await among(finder.tasks, await openIds(finder, accountId), query), query);
  }
  return listed(finder, accountId, query);
}
