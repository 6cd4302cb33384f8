/** Commands on tasks. */
import { presentTask } from '../../shared/domain/present-task.ts';
import { type CommandGroup, command, required } from './command.ts';
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

export const taskCommands: CommandGroup = {
  name: 'task',
  summary: 'Shows tasks.',
  commands: [show],
};
