/** Commands on tasks. */
import { endTask } from '../../shared/domain/tasks/end-task.ts';
import { presentTask } from '../../shared/domain/tasks/present-task.ts';
import { type Command, command, required } from './command.ts';
import { refused } from './exit-error.ts';
import { findTask } from './find-task.ts';
import { idOf } from './value-kinds.ts';

export const taskId = idOf('TASK', 'of a task, as its creator was answered');

const show = command({
  name: 'show',
  summary: 'Shows a task as its account sees it, and whose it is.',
  options: { task: required(taskId, 'Which task.') },
  async run({ task: id }, service) {
    const { task, attempts } = await findTask(service, id);
    return { accountId: task.accountId, ...presentTask(task, attempts, service.settings.resultsUrl) };
  },
});

const fail = command({
  name: 'fail',
  summary: 'Ends an open task as failed: its slot is freed, its credits are refunded, and its webhook is sent.',
  options: { task: required(taskId, 'Which task.') },
  async run({ task: id }, service) {
    const { task } = await findTask(service, id);
    const ended = await endTask(service, task, { status: 'failed', code: 'INTERNAL_ERROR' });
    if (!ended) throw refused(`Task ${id} has ended already.`);
    return { taskId: id, status: 'failed', creditsRefunded: task.cost };
  },
  print: ({ taskId: id, creditsRefunded }) =>
    `Task ${id} is failed now; ${creditsRefunded === 1 ? '1 credit is' : `${creditsRefunded} credits are`} back.`,
});

export const taskCommands: readonly Command[] = [show, fail];
