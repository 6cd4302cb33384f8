/** The command that shows the log lines of a single request. */
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { id as serviceId } from '../../shared/contracts/fields.ts';
import { timestamp } from '../../shared/platform/clock.ts';
import { timeOfId } from '../../shared/platform/ids.ts';
import { type Command, command, optional, required } from './command.ts';
import { logLinesWith } from './log-lines.ts';
import { requireDeployment } from './service.ts';
import { table } from './text-output.ts';
import { pastTime, textOf } from './value-kinds.ts';

const dayMs = 24 * 3600 * 1000;

/** A tolerance larger than the differences between the functions' clocks. */
const skewMs = 60_000;

/**
 * Where a search in the logs starts: for a task, when it was created; otherwise a limited time ago, so that months of
 * logs are not read.
 */
const searchedFrom = (id: string, now: number): number =>
  serviceId().safeParse(id).success ? timeOfId(id) - skewMs : now - dayMs;

const show = command({
  name: 'show',
  summary: 'Show the log lines of a deployed stage about a request or a task, by its id.',
  options: {
    id: required(textOf('ID', 8, 100), 'The X-Request-Id of a response, or the id of the task that it created.'),
    since: optional(
      pastTime,
      'Where the search begins; by default when the task was created, or 24 hours ago for anything else.',
    ),
  },
  async run({ id, since }, service) {
    const { stage } = requireDeployment(service);
    const from = since ?? searchedFrom(id, service.clock.now());
    const lines = await logLinesWith(new CloudWatchLogsClient(), { stage, text: id, from });
    return { since: timestamp(from), lines };
  },
  rows: ({ lines }) => lines,
  print: ({ lines, since }) =>
    table(
      lines,
      `No log lines since ${since}: new lines appear within a minute, and --since searches from an earlier time.`,
    ),
});

export const requestCommands: readonly Command[] = [show];
