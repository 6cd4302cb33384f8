/** Searches the logs of a deployed stage. */
import {
  type CloudWatchLogsClient,
  paginateDescribeLogGroups,
  paginateFilterLogEvents,
} from '@aws-sdk/client-cloudwatch-logs';
import { timestamp } from '../../shared/platform/clock.ts';

export type LogLine = Readonly<Record<'time' | 'log' | 'message', string>>;

/** The names of all log groups of a stage. */
export async function logGroupsOf(client: CloudWatchLogsClient, stage: string): Promise<string[]> {
  const names: string[] = [];
  const pages = paginateDescribeLogGroups({ client }, { logGroupNamePattern: `GenerationService-${stage}-` });
  for await (const { logGroups = [] } of pages) names.push(...logGroups.map(({ logGroupName = '' }) => logGroupName));
  return names;
}

export interface LogSearch {
  readonly stage: string;
  readonly text: string;
  /** The time from which lines are searched, in milliseconds since the epoch. */
  readonly from: number;
}

/** CloudWatch returns the matches in pages, most of which are empty. */
async function linesOf(
  client: CloudWatchLogsClient,
  logGroupName: string,
  { text, from: startTime }: LogSearch,
): Promise<LogLine[]> {
  // Quotation marks make the text a literal instead of a pattern.
  const filterPattern = `"${text.replaceAll('"', '')}"`;
  const lines: LogLine[] = [];
  const search = { logGroupName, filterPattern, startTime };
  for await (const { events = [] } of paginateFilterLogEvents({ client }, search)) {
    for (const { timestamp: at = 0, message = '' } of events) {
      lines.push({ time: timestamp(at), log: logGroupName, message: message.trim() });
    }
  }
  return lines;
}

/** All lines that contain a text, oldest first. */
export async function logLinesWith(client: CloudWatchLogsClient, search: LogSearch): Promise<LogLine[]> {
  const groups = await logGroupsOf(client, search.stage);
  const found = await Promise.all(groups.map((group) => linesOf(client, group, search)));
  return found.flat().sort((a, b) => a.time.localeCompare(b.time));
}
