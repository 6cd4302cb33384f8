/**
 * Finds tasks for operators: those of an account, the open tasks of all accounts that are due for a check soonest, the
 * tasks of all accounts that failed on a day, or those whose webhook failed lately.
 */
import type { Stuck } from '../../contracts/operate-tasks.ts';
import type { TaskStatus } from '../../contracts/task-statuses.ts';
import type { TaskType } from '../../contracts/task-types.ts';
import { dayAt } from '../../platform/clock.ts';
import type { Stores } from '../stores.ts';
import { findTasks } from '../tasks/find-tasks.ts';
import { isTerminal, type Task } from '../tasks/task.ts';
import { failedWebhooks } from '../webhooks/failed-webhooks.ts';

interface OperatedTaskQuery {
  readonly account?: string | undefined;
  readonly status?: TaskStatus | undefined;
  readonly type?: TaskType | undefined;
  readonly engine?: string | undefined;
  readonly error?: string | undefined;
  readonly minutes?: number | undefined;
  readonly day?: string | undefined;
  readonly before?: string | undefined;
  readonly stuck?: Stuck | undefined;
  readonly limit: number;
  readonly offset: number;
}

type Needs = Pick<Stores, 'accounts' | 'table' | 'tasks'>;

const newestFirst = (one: Task, other: Task): number => (one.taskId < other.taskId ? 1 : -1);

/** The index also contains ended tasks whose webhook has not been delivered yet. */
export async function openTasksNext({ tasks }: Pick<Needs, 'tasks'>): Promise<Task[]> {
  const found = await tasks.findReadable(await tasks.nextDue());
  return found.filter((task) => !isTerminal(task)).toSorted(newestFirst);
}

interface FoundTasks {
  readonly tasks: readonly Task[];
  /** Of failed tasks: `before` of the next page, unless this is the last. */
  readonly next?: string | undefined;
}

async function failedTasks(
  { tasks }: Pick<Needs, 'tasks'>,
  query: OperatedTaskQuery,
  now: number,
): Promise<FoundTasks> {
  const { before, day = dayAt(now), limit } = query;
  const ids = await tasks.failedOn(day, { limit, before });
  const found = await tasks.findReadable(ids);
  return { tasks: found.toSorted(newestFirst), next: ids.length === limit ? ids.at(-1) : undefined };
}

/** Which list a query is about: failed tasks have a status, an error or a day, if they are not of one account. */
function listOf({ account, day, error, status, stuck }: OperatedTaskQuery): 'account' | 'failed' | 'open' | 'webhooks' {
  if (stuck !== undefined) return stuck === 'webhook' ? 'webhooks' : 'open';
  if (account !== undefined) return 'account';
  return status === 'failed' || (status === undefined && (error ?? day) !== undefined) ? 'failed' : 'open';
}

const lists: Readonly<
  Record<ReturnType<typeof listOf>, (needs: Needs, query: OperatedTaskQuery, now: number) => Promise<FoundTasks>>
> = {
  async account(needs, { account = '', limit, offset, status, type: taskType }) {
    return { tasks: await findTasks(needs, account, { status, taskType, limit, offset }) };
  },
  failed: failedTasks,
  open: async (needs) => ({ tasks: await openTasksNext(needs) }),
  webhooks: async (needs, _query, now) => ({ tasks: await failedWebhooks(needs, now) }),
};

export async function findOperatedTasks(needs: Needs, query: OperatedTaskQuery, now: number): Promise<FoundTasks> {
  const { account, engine, error, limit, minutes, offset, status, stuck, type: taskType } = query;
  const list = listOf(query);
  const { next, tasks } = await lists[list](needs, query, now);
  const matching = tasks.filter(
    (task) =>
      (account === undefined || task.accountId === account) &&
      (stuck !== 'deadline' || task.deadlineAt < now) &&
      (status === undefined || task.status === status) &&
      (taskType === undefined || task.taskType === taskType) &&
      (engine === undefined || task.engine === engine) &&
      (error === undefined || task.errorCode === error) &&
      (minutes === undefined || task.createdAt <= now - minutes * 60_000),
  );
  // The other lists have been read from the offset, or from the task before.
  const isWhole = list === 'open' || list === 'webhooks';
  return { tasks: isWhole ? matching.slice(offset, offset + limit) : matching, next };
}
