/** Lines of a deployed stage's logs, as CloudWatch gives them: in pages, of which most are empty. */
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { logLinesWith } from '../../../infra/cli/log-lines.ts';
import { awsJsonEndpoint, type Parameters } from '../../support/aws-json-endpoint.ts';
import type { LocalServer } from '../../support/local-server.ts';

let logs: LocalServer;
let client: CloudWatchLogsClient;
const asked: Parameters[] = [];

const [first, second] = ['GenerationService-dev-Service-One', 'GenerationService-dev-Service-Two'];

/** What is found stands behind an empty page, in one log earlier than in the other. */
function eventsOf({ logGroupName, nextToken }: Parameters): object {
  if (!nextToken) return { events: [], nextToken: 'more' };
  return { events: [{ timestamp: logGroupName === first ? 2000 : 1000, message: `${logGroupName} tells\n` }] };
}

beforeAll(async () => {
  logs = await awsJsonEndpoint((operation, parameters) => {
    asked.push(parameters);
    if (operation === 'FilterLogEvents') return eventsOf(parameters);
    return { logGroups: [{ logGroupName: first }, { logGroupName: second }] };
  });
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  client = new CloudWatchLogsClient({ endpoint: logs.url, region: 'us-east-1', credentials });
});

afterAll(async () => {
  client.destroy();
  await logs.close();
});

it('are found behind pages without any, in all logs of the stage, the oldest first', async () => {
  expect(await logLinesWith(client, 'dev', 'an "id" of')).toEqual([
    { time: '1970-01-01T00:00:01.000Z', log: second, message: `${second} tells` },
    { time: '1970-01-01T00:00:02.000Z', log: first, message: `${first} tells` },
  ]);
  const [groups, ...searches] = asked;
  expect(groups).toMatchObject({ logGroupNamePattern: 'GenerationService-dev-' });
  expect(new Set(searches.map(({ filterPattern }) => filterPattern))).toEqual(new Set(['"an id of"']));
});
