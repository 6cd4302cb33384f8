/**
 * Finds tasks for operators: those of an account, or the open tasks of all accounts that are due for a check soonest.
 */
import type { TaskStatus } from '../../contracts/task-statuses.ts';
import type { TaskType } from '../../contracts/task-types.ts';
import type { Stores } from '../stores.ts';
import { findTasks } from '../tasks/find-tasks.ts';
import { isTerminal, type Task } from '../tasks/task.ts';

interface OperatedTaskQuery {
  readonly account?: string | undefined;
  readonly status?: TaskStatus | undefined;
  readonly type?: TaskType | undefined;
  readonly engine?: string | undefined;
  readonly error?: string | undefined;
  readonly minutes?: number | undefined;
  readonly limit: number;
  readonly offset: number;
}

type Needs = Pick<Stores, 'accounts' | 'tasks'>;

/** The index also contains ended tasks whose webhook has not been delivered yet. */
export async function openTasksNext({ tasks }: Pick<Needs, 'tasks'>): Promise<Task[]> {
  const found = await tasks.findReadable(await tasks.nextDue());
  return found.filter((task) => !isTerminal(task)).toSorted((one, other) => (one.taskId < other.taskId ? 1 : -1));
}

export async function findOperatedTasks(needs: Needs, query: OperatedTaskQuery, now: number): Promise<Task[]> {
  const { account, engine, error, limit, minutes, offset, status, type: taskType } = query;
  const found =
    account === undefined
      ? await openTasksNext(needs)
      : await findTasks(needs, account, { status, taskType, limit, offset });
  const matching = found.filter(
    (task) =>
      (status === undefined || task.status === status) &&
      (taskType === undefined || task.taskType === taskType) &&
      (engine === undefined || task.engine === engine) &&
      (error === undefined || task.errorCode === error) &&
      (minutes === undefined || task.createdAt <= now - minutes * 60_000),
  );
  return account === undefined ? matching.slice(offset, offset + limit) : matching;
}
