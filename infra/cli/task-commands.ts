/** The commands for tasks. */

import { taskErrorCodes } from '../../shared/contracts/errors.ts';
import { stuckKinds } from '../../shared/contracts/operate-tasks.ts';
import { taskRequester } from '../../shared/contracts/task-requester.ts';
import { taskStatuses } from '../../shared/contracts/task-statuses.ts';
import { taskTypes } from '../../shared/contracts/task-types.ts';
import { findOperatedTasks } from '../../shared/domain/operator-reads/find-operated-tasks.ts';
import { type ActEntry, actLog } from '../../shared/domain/operators/act-log.ts';
import { acts } from '../../shared/domain/operators/acts.ts';
import { findTasks } from '../../shared/domain/tasks/find-tasks.ts';
import { presentTask } from '../../shared/domain/tasks/present-task.ts';
import { isTerminal, type Task } from '../../shared/domain/tasks/task.ts';
import { eventsOf } from '../../shared/domain/tasks/task-events.ts';
import { labelOf } from '../../shared/domain/tasks/task-label.ts';
import { liveAccountOf } from '../../shared/domain/test-account.ts';
import { tokenStore } from '../../shared/domain/tokens/token-store.ts';
import { timestamp } from '../../shared/platform/clock.ts';
import { accountId } from './account-kind.ts';
import { actCommand } from './act-command.ts';
import { type Command, command, optional, required } from './command.ts';
import { usageError } from './exit-error.ts';
import { findAccount } from './find-account.ts';
import { findTask } from './find-task.ts';
import type { Service } from './service.ts';
import { lines, table } from './text-output.ts';
import { day as dayOf, idOf, integer, oneOf, textOf } from './value-kinds.ts';

export const taskId = idOf('TASK', 'of a task, as returned when it was created');

const shown = (task: Task) => ({
  taskId: task.taskId,
  accountId: task.accountId,
  type: task.taskType,
  label: labelOf(task),
  status: task.status,
  cost: task.cost,
  createdAt: timestamp(task.createdAt),
  mayRunUntil: isTerminal(task) ? null : timestamp(task.deadlineAt),
  error: task.errorCode ?? null,
  route: task.route,
  webhook: task.webhookStatus ?? null,
  reference: task.clientReference ?? null,
  tokenId: task.tokenId ?? null,
});

/** `next` is the task with which `--before` continues; null if there are no more. */
const page = (tasks: readonly Task[], next: string | undefined) => ({ tasks: tasks.map(shown), next: next ?? null });

const list = command({
  name: 'list',
  summary: 'List the tasks of an account, newest first, or open or failed tasks of all accounts.',
  options: {
    account: optional(
      accountId,
      'The account; without it, open tasks of all accounts, or with --status failed, --error or --day, failed ones.',
    ),
    type: optional(oneOf('TYPE', taskTypes), 'Only tasks of this type.'),
    status: optional(oneOf('STATUS', taskStatuses), 'Only tasks with this status.'),
    reference: optional(textOf('REFERENCE', 1, 128), 'Only tasks of the account with this client reference.'),
    engine: optional(textOf('ENGINE', 1, 60), 'Only tasks of this engine, for all accounts.'),
    error: optional(oneOf('CODE', taskErrorCodes), 'Only tasks that failed with this code, for all accounts.'),
    stuck: optional(
      oneOf('WHY', stuckKinds),
      'Only tasks of all accounts that are open past their deadline, or whose webhook failed today or yesterday (UTC).',
    ),
    day: optional(dayOf, 'The day (UTC) on which the tasks of all accounts failed; today by default.'),
    before: optional(taskId, 'Only tasks older than this one; open tasks of all accounts have only one page.'),
    limit: optional(integer(1, 1000), 'How many tasks at most; 100 by default.'),
  },
  async run({ account, type, reference: clientReference, limit = 100, ...filters }, service) {
    const { day, engine, error, before, status, stuck } = filters;
    if (stuck !== undefined && (day ?? before) !== undefined) {
      throw usageError('--day and --before are for failed tasks: leave out --stuck.');
    }
    if (account === undefined) {
      if (clientReference !== undefined) throw usageError('--reference requires --account.');
      const query = { ...filters, type, limit, offset: 0 };
      const { next, tasks } = await findOperatedTasks(service, query, service.clock.now());
      return page(tasks, next);
    }
    if (day ?? engine ?? error ?? stuck) {
      throw usageError('--engine, --error, --day and --stuck are for tasks of all accounts: leave out --account.');
    }
    await findAccount(service, account);
    const own = { taskType: type, status, clientReference, after: before, limit, offset: 0 };
    const found = await findTasks(service, account, own);
    return page(found, found.length === limit ? found.at(-1)?.taskId : undefined);
  },
  rows: ({ tasks }) => tasks,
  print: ({ next, tasks }) => {
    const shownTasks = table(tasks, 'There are no such tasks among those that were searched.');
    return next === null ? shownTasks : `${shownTasks}\n\nThe next page: --before ${next}`;
  },
});

/** Who ended a task; `api` is a request of its account. */
const endedBy = (task: Task): string | null =>
  eventsOf(task, []).find(({ type }) => type === 'completed' || type === 'failed' || type === 'canceled')?.actor ??
  null;

/** The operator who ended a task; null if none of the newest 100 acts about its account did. */
async function operatorWhoEnded({ table }: Pick<Service, 'table'>, { accountId, endedBy: by, taskId: id }: Task) {
  if (by !== 'operator') return null;
  const found = await actLog(table).of(`account/${accountId}`, { limit: 100 });
  const isEnd = (entry: ActEntry) => entry.act === acts.failTask.name && entry.subject === `task ${id}`;
  return found.find((entry) => isEnd(entry) && entry.state !== 'failed')?.operatorName ?? null;
}

/** What the text says of those who end tasks, if it is not known who canceled it. */
const enders: Readonly<Record<string, string>> = {
  api: 'api: its account, in the dashboard or by any of its tokens',
  operator: 'operator: "act list" says who',
  system: 'system: the service itself',
};

const show = command({
  name: 'show',
  summary:
    'Show a task as its account sees it, the account, until when it may run if it is open, who ended it if it is not, and what its engines charge.',
  options: { task: required(taskId, 'The task.') },
  async run({ task: id }, service) {
    const { task, attempts } = await findTask(service, id);
    const { accountId, canceledBy = null, engineCost, tokenId = null } = task;
    const tokens = await tokenStore(service.table).list(liveAccountOf(accountId));
    const nameOf = (searched: string | null) => tokens.find((token) => token.tokenId === searched)?.name ?? null;
    const charged = engineCost === undefined ? {} : { engineCostMicros: engineCost };
    return {
      accountId,
      tokenId,
      tokenName: nameOf(tokenId),
      ...charged,
      ...(isTerminal(task)
        ? {
            endedBy: endedBy(task),
            operator: await operatorWhoEnded(service, task),
            canceledBy,
            canceledByTokenName: nameOf(canceledBy),
          }
        : { mayRunUntil: timestamp(task.deadlineAt) }),
      ...presentTask(task, attempts, service.settings),
    };
  },
  print: (shownTask) => {
    if (!('endedBy' in shownTask)) return lines(shownTask);
    const { canceledBy, canceledByTokenName, operator, ...others } = shownTask;
    if (operator !== null) return lines({ ...others, endedBy: `operator ${operator}` });
    const by = others.endedBy ?? '';
    const ender = canceledBy === null ? (enders[by] ?? by) : taskRequester(canceledBy, canceledByTokenName ?? '');
    return lines({ ...others, endedBy: ender });
  },
});

const fail = actCommand(acts.failTask, {
  name: 'fail',
  summary: 'Fail an open task: free its slot, refund its credits and send its webhook.',
  options: { task: required(taskId, 'The task.') },
  async run({ task }, { connect, perform }) {
    const service = await connect();
    return perform(service, service, { task });
  },
  print: ({ taskId: id, creditsRefunded }) =>
    `Task ${id} has failed; ${creditsRefunded === 1 ? '1 credit was' : `${creditsRefunded} credits were`} refunded.`,
});

export const taskCommands: readonly Command[] = [list, show, fail];
