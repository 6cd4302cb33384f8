/** Commands on single requests. */
import {
  CloudWatchLogsClient,
  FilterLogEventsCommand,
  paginateDescribeLogGroups,
} from '@aws-sdk/client-cloudwatch-logs';
import { type CommandGroup, command, required } from './command.ts';
import { requireDeployment } from './service.ts';
import { table } from './text-output.ts';
import { textOf } from './value-kinds.ts';

type Line = Readonly<Record<'time' | 'log' | 'message', string>>;

async function logGroupsOf(client: CloudWatchLogsClient, stage: string): Promise<string[]> {
  const names: string[] = [];
  const pages = paginateDescribeLogGroups({ client }, { logGroupNamePattern: `GenerationService-${stage}-` });
  for await (const { logGroups = [] } of pages) names.push(...logGroups.map(({ logGroupName = '' }) => logGroupName));
  return names;
}

/** Lines in which a text stands, quoted: no pattern of its own. */
async function linesWith(client: CloudWatchLogsClient, logGroupName: string, wanted: string): Promise<Line[]> {
  const filterPattern = `"${wanted}"`;
  const { events = [] } = await client.send(new FilterLogEventsCommand({ logGroupName, filterPattern }));
  return events.map(({ timestamp = 0, message = '' }) => ({
    time: new Date(timestamp).toISOString(),
    log: logGroupName,
    message: message.trim(),
  }));
}

const show = command({
  name: 'show',
  summary: 'Shows what the logs of a deployed stage say of a request or a task, by its id.',
  options: {
    id: required(textOf('ID', 8, 100), 'The X-Request-Id of an answer, or the id of the task that came of it.'),
  },
  async run({ id }, service) {
    const { stage } = requireDeployment(service);
    const client = new CloudWatchLogsClient();
    const groups = await logGroupsOf(client, stage);
    const found = await Promise.all(groups.map((group) => linesWith(client, group, id.replaceAll('"', ''))));
    return { lines: found.flat().sort((a, b) => a.time.localeCompare(b.time)) };
  },
  print: ({ lines }) => table(lines, 'The logs say nothing of it.'),
});

export const requestCommands: CommandGroup = {
  name: 'request',
  summary: 'Follows a request through the logs.',
  commands: [show],
};
