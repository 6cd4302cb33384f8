/** The commands for tasks. */

import { taskStatuses } from '../../shared/contracts/task-statuses.ts';
import { taskTypes } from '../../shared/contracts/task-types.ts';
import { acts } from '../../shared/domain/operators/acts.ts';
import { findTasks } from '../../shared/domain/tasks/find-tasks.ts';
import { presentTask } from '../../shared/domain/tasks/present-task.ts';
import { timestamp } from '../../shared/platform/clock.ts';
import { accountId } from './account-commands.ts';
import { actCommand } from './act-command.ts';
import { type Command, command, optional, required } from './command.ts';
import { findAccount } from './find-account.ts';
import { findTask } from './find-task.ts';
import { idOf, integer, oneOf, textOf } from './value-kinds.ts';

export const taskId = idOf('TASK', 'of a task, as returned when it was created');

const list = command({
  name: 'list',
  summary: 'List the tasks of an account, newest first.',
  options: {
    account: required(accountId, 'The account.'),
    type: optional(oneOf('TYPE', taskTypes), 'Only tasks of this type.'),
    status: optional(oneOf('STATUS', taskStatuses), 'Only tasks with this status.'),
    reference: optional(textOf('REFERENCE', 1, 128), 'Only tasks with this client reference.'),
    limit: optional(integer(1, 1000), 'How many tasks at most; 100 by default.'),
  },
  async run({ account, type: taskType, status, reference: clientReference, limit = 100 }, service) {
    await findAccount(service, account);
    const found = await findTasks(service, account, { taskType, status, clientReference, limit, offset: 0 });
    const tasks = found.map((task) => ({
      taskId: task.taskId,
      type: task.taskType,
      status: task.status,
      cost: task.cost,
      createdAt: timestamp(task.createdAt),
      error: task.errorCode ?? null,
      route: task.route,
      webhook: task.webhookStatus ?? null,
      reference: task.clientReference ?? null,
      tokenId: task.tokenId ?? null,
    }));
    return { tasks };
  },
  rows: ({ tasks }) => tasks,
  whenEmpty: 'There are no such tasks.',
});

const show = command({
  name: 'show',
  summary: 'Show a task as its account sees it, the account, and what its engines charge.',
  options: { task: required(taskId, 'The task.') },
  async run({ task: id }, service) {
    const { task, attempts } = await findTask(service, id);
    const { accountId, engineCost } = task;
    const charged = engineCost === undefined ? {} : { engineCostMicros: engineCost };
    return { accountId, ...charged, ...presentTask(task, attempts, service.settings) };
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
