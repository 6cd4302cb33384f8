/** Searching the logs of a deployed stage, which CloudWatch returns in pages that are mostly empty. */
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { afterAll, expect, it } from 'vitest';
import { logLinesWith } from '../../../infra/cli/log-lines.ts';
import { awsJsonEndpoint, type Parameters } from '../../support/aws-json-endpoint.ts';

const asked: Parameters[] = [];

const [first, second] = ['GenerationService-dev-Service-One', 'GenerationService-dev-Service-Two'];

/** An empty page precedes the results; those of the second log are older. */
function eventsOf({ logGroupName, nextToken }: Parameters): object {
  if (!nextToken) return { events: [], nextToken: 'more' };
  return { events: [{ timestamp: logGroupName === first ? 2000 : 1000, message: `line of ${logGroupName}\n` }] };
}

const logs = await awsJsonEndpoint((operation, parameters) => {
  asked.push(parameters);
  if (operation === 'FilterLogEvents') return eventsOf(parameters);
  return { logGroups: [{ logGroupName: first }, { logGroupName: second }] };
});
const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
const client = new CloudWatchLogsClient({ endpoint: logs.url, region: 'us-east-1', credentials });

afterAll(async () => {
  client.destroy();
  await logs.close();
});

it('a search for log lines reads all logs of the stage from the given time on, past empty pages, and sorts lines by time', async () => {
  expect(await logLinesWith(client, { stage: 'dev', text: 'an "id" of', from: 500 })).toEqual([
    { time: '1970-01-01T00:00:01.000Z', log: second, message: `line of ${second}` },
    { time: '1970-01-01T00:00:02.000Z', log: first, message: `line of ${first}` },
  ]);
  const [groups, ...searches] = asked;
  expect(groups).toMatchObject({ logGroupNamePattern: 'GenerationService-dev-' });
  expect(searches.length).toBeGreaterThan(0);
  for (const search of searches) expect(search).toMatchObject({ filterPattern: '"an id of"', startTime: 500 });
});
