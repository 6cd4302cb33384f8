/** Commands on single requests. */
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { type Command, command, required } from './command.ts';
import { logLinesWith } from './log-lines.ts';
import { requireDeployment } from './service.ts';
import { table } from './text-output.ts';
import { textOf } from './value-kinds.ts';

const show = command({
  name: 'show',
  summary: 'Shows what the logs of a deployed stage say of a request or a task, by its id.',
  options: {
    id: required(textOf('ID', 8, 100), 'The X-Request-Id of an answer, or the id of the task that came of it.'),
  },
  async run({ id }, service) {
    const { stage } = requireDeployment(service);
    return { lines: await logLinesWith(new CloudWatchLogsClient(), stage, id) };
  },
  print: ({ lines }) => table(lines, 'The logs say nothing of it, or not yet: lines come within a minute.'),
});

export const requestCommands: readonly Command[] = [show];
