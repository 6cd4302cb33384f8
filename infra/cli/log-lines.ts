/** Searches the logs of a deployed stage. */
import {
  type CloudWatchLogsClient,
  paginateDescribeLogGroups,
  paginateFilterLogEvents,
} from '@aws-sdk/client-cloudwatch-logs';
import { timestamp } from '../../shared/platform/clock.ts';

export type LogLine = Readonly<Record<'time' | 'log' | 'message', string>>;

async function logGroupsOf(client: CloudWatchLogsClient, stage: string): Promise<string[]> {
  const names: string[] = [];
  const pages = paginateDescribeLogGroups({ client }, { logGroupNamePattern: `GenerationService-${stage}-` });
  for await (const { logGroups = [] } of pages) names.push(...logGroups.map(({ logGroupName = '' }) => logGroupName));
  return names;
}

/** CloudWatch searches a log in pages, most of which are empty. */
async function linesOf(client: CloudWatchLogsClient, logGroupName: string, wanted: string): Promise<LogLine[]> {
  // Quoted, so that it is not interpreted as a pattern.
  const filterPattern = `"${wanted.replaceAll('"', '')}"`;
  const lines: LogLine[] = [];
  for await (const { events = [] } of paginateFilterLogEvents({ client }, { logGroupName, filterPattern })) {
    for (const { timestamp: at = 0, message = '' } of events) {
      lines.push({ time: timestamp(at), log: logGroupName, message: message.trim() });
    }
  }
  return lines;
}

/** All lines that contain a text, oldest first. */
export async function logLinesWith(client: CloudWatchLogsClient, stage: string, wanted: string): Promise<LogLine[]> {
  const groups = await logGroupsOf(client, stage);
  const found = await Promise.all(groups.map((group) => linesOf(client, group, wanted)));
  return found.flat().sort((a, b) => a.time.localeCompare(b.time));
}
