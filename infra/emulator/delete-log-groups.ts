/**
 * Deletes the log groups that an emulator created by itself, because LocalStack ignores those that functions are given.
 */
import { CloudWatchLogsClient, DeleteLogGroupCommand } from '@aws-sdk/client-cloudwatch-logs';
import { logGroupsOf } from '../cli/log-lines.ts';

export async function deleteLogGroups(stage: string): Promise<void> {
  const client = new CloudWatchLogsClient();
  for (const logGroupName of await logGroupsOf(client, stage)) {
    await client.send(new DeleteLogGroupCommand({ logGroupName }));
  }
  client.destroy();
}
