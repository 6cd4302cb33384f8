/** The commands for single requests. */
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { type Command, command, required } from './command.ts';
import { logLinesWith } from './log-lines.ts';
import { requireDeployment } from './service.ts';
import { table } from './text-output.ts';
import { textOf } from './value-kinds.ts';

const show = command({
  name: 'show',
  summary: 'Show the log lines of a deployed stage about a request or a task, by its id.',
  options: {
    id: required(textOf('ID', 8, 100), 'The X-Request-Id of a response, or the id of the task that it created.'),
  },
  async run({ id }, service) {
    const { stage } = requireDeployment(service);
    return { lines: await logLinesWith(new CloudWatchLogsClient(), stage, id) };
  },
  print: ({ lines }) => table(lines, 'No log lines found: new lines appear within a minute.'),
});

export const requestCommands: readonly Command[] = [show];
