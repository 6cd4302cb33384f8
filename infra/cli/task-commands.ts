/** The commands for tasks. */
import { endTask } from '../../shared/domain/task-lifecycle/end-task.ts';
import { presentTask } from '../../shared/domain/tasks/present-task.ts';
import { type Command, command, required } from './command.ts';
import { commandFailed } from './exit-error.ts';
import { findTask } from './find-task.ts';
import { idOf } from './value-kinds.ts';

export const taskId = idOf('TASK', 'of a task, as returned when it was created');

const show = command({
  name: 'show',
  summary: 'Show a task as its account sees it, and the account.',
  options: { task: required(taskId, 'The task.') },
  async run({ task: id }, service) {
    const { task, attempts } = await findTask(service, id);
    return { accountId: task.accountId, ...presentTask(task, attempts, service.settings) };
  },
});

const fail = command({
  name: 'fail',
  summary: 'Fail an open task: free its slot, refund its credits and send its webhook.',
  options: { task: required(taskId, 'The task.') },
  async run({ task: id }, service) {
    const { task } = await findTask(service, id);
    const ended = await endTask(service, task, { status: 'failed', code: 'INTERNAL_ERROR', endedBy: 'operator' });
    if (!ended) throw commandFailed(`Task ${id} has already ended.`);
    return { taskId: id, status: 'failed', creditsRefunded: task.cost };
  },
  print: ({ taskId: id, creditsRefunded }) =>
    `Task ${id} has failed; ${creditsRefunded === 1 ? '1 credit was' : `${creditsRefunded} credits were`} refunded.`,
});

export const taskCommands: readonly Command[] = [show, fail];
