/** How far back "request show" searches the logs. */
import { afterAll, beforeEach, expect, it } from 'vitest';
import { requestCommands } from '../../../infra/cli/request-commands.ts';
import type { Service } from '../../../infra/cli/service.ts';
import { randomIds } from '../../../shared/platform/ids.ts';
import { awsJsonEndpoint } from '../../support/aws-json-endpoint.ts';
import { givenTarget } from './given-target.ts';

const now = Date.UTC(2026, 10, 22, 12);
const minuteMs = 60_000;

let startTimes: unknown[];

const logs = await awsJsonEndpoint((operation, { startTime }) => {
  if (operation !== 'FilterLogEvents') return { logGroups: [{ logGroupName: 'GenerationService-dev-One' }] };
  startTimes.push(startTime);
  return { events: [] };
});
const account = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test', AWS_REGION: 'us-east-1' };
Object.assign(process.env, { ...account, AWS_ENDPOINT_URL: logs.url });
afterAll(() => logs.close());

beforeEach(() => {
  startTimes = [];
});

const [show] = requestCommands;
const service = { deployment: { stage: 'dev', outputs: {} }, clock: { now: () => now } } as Partial<Service> as Service;

it.each([
  [
    'a minute before the creation of the task whose id is given',
    { id: randomIds({ now: () => now - 5000 }).next() },
    5000 + minuteMs,
  ],
  [
    'a day ago if the id of a request at API Gateway is given',
    { id: 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef' },
    1440 * minuteMs,
  ],
  ['a day ago if a message is given', { id: 'message failed' }, 1440 * minuteMs],
  ['at the time given with --since', { id: 'message failed', since: now - 3 * minuteMs }, 3 * minuteMs],
])('the search for a request’s log lines begins %s', async (_case, values, beforeMs) => {
  const result = await show?.run(values, givenTarget(service, 'dev'));
  expect(startTimes).toEqual([now - beforeMs]);
  expect(show?.print?.(result ?? {})).toContain(`No log lines since ${new Date(now - beforeMs).toISOString()}`);
});
