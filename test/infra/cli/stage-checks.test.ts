/** What "stage check" reports about a deployed stage. */
import { text } from 'node:stream/consumers';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { checkStage } from '../../../infra/cli/stage-checks.ts';
import { localServer } from '../../support/local-server.ts';

/** The responses of AWS and the API. */
const complete = {
  secret: { Name: 'key' } as object,
  certificates: { Name: 'certificates' } as object,
  subscription: 'arn:aws:sns:us-east-1:123456789012:alarms:1',
  health: { status: 'ok', checks: { database: 'ok' } },
  callbackStatus: 404,
  concurrency: 1000,
  quotaStatus: 200,
};

/** Quotas with names that AWS uses. */
const quotas: Readonly<Record<string, readonly object[]>> = {
  lambda: [{ QuotaName: 'Concurrent executions', Value: 1000 }],
  apigateway: [
    { QuotaName: 'Throttle burst rate', Value: 5000 },
    { QuotaName: 'Throttle rate', Value: 10_000 },
  ],
  states: [{ QuotaName: 'StartExecution throttle token refill rate per second', Value: 300 }],
};

const quotasFor = (body: string) => quotas[(JSON.parse(body) as { ServiceCode: string }).ServiceCode] ?? [];

let world = complete;

const subscriptions = (
  arn: string,
) => `<ListSubscriptionsByTopicResponse><ListSubscriptionsByTopicResult><Subscriptions>
  ${arn && `<member><Protocol>email</Protocol><Endpoint>ana@example.com</Endpoint><SubscriptionArn>${arn}</SubscriptionArn></member>`}
</Subscriptions></ListSubscriptionsByTopicResult></ListSubscriptionsByTopicResponse>`;

function responseTo(url: string, body: string): readonly [status: number, body: string] {
  if (url.endsWith('/health')) return [200, JSON.stringify({ success: true, data: world.health })];
  if (url.startsWith('/inbound/engines/fal/')) return [world.callbackStatus, '{}'];
  if (url.includes('account-settings')) {
    return [200, JSON.stringify({ AccountLimit: { ConcurrentExecutions: world.concurrency } })];
  }
  if (body.includes('ServiceCode')) return [world.quotaStatus, JSON.stringify({ Quotas: quotasFor(body) })];
  if (body.includes('ListSubscriptionsByTopic')) return [200, subscriptions(world.subscription)];
  const secret = body.includes('content-certificates') ? world.certificates : world.secret;
  return ['__type' in secret ? 400 : 200, JSON.stringify(secret)];
}

const server = await localServer(async (request, response) => {
  const [status, body] = responseTo(request.url ?? '', await text(request));
  response.writeHead(status).end(body);
});
const account = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test', AWS_REGION: 'us-east-1' };
Object.assign(process.env, { ...account, AWS_ENDPOINT_URL: server.url, AWS_MAX_ATTEMPTS: '1' });
afterAll(() => server.close());

beforeEach(() => {
  world = complete;
});

const outputs = () => ({
  ApiUrl: server.url,
  Engines: 'fal',
  FalEngineSecret: 'generation-service/dev/engines/fal',
  ContentCertificatesSecret: 'generation-service/dev/content-certificates',
  AlarmTopicArn: 'arn:aws:sns:us-east-1:123456789012:alarms',
});

const allChecksOf = async (changed: object = {}) => {
  const checks = await checkStage({ stage: 'dev', outputs: { ...outputs(), ...changed } });
  return checks.map(({ check, status, detail }) => [check, [status, detail]] as const);
};

const isQuota = ([check]: readonly [string, unknown]): boolean => check.startsWith('quota of ');

const checksOf = async (changed: object = {}) =>
  Object.fromEntries((await allChecksOf(changed)).filter((one) => !isQuota(one)));

it('the stage check says how much load each quota allows, and which quotas it cannot find', async () => {
  const found = Object.fromEntries((await allChecksOf()).filter(isQuota));
  const unnamed = ['unknown', 'Service Quotas does not name it: docs/scale.md has the default'];
  expect(found).toEqual({
    'quota of Lambda: concurrent executions': ['ok', '1,000: enough for 769 tasks per second'],
    'quota of API Gateway: requests per second': ['ok', '10,000: enough for 2,000 tasks per second'],
    'quota of Step Functions: StartExecution per second': ['ok', '300: enough for 300 tasks per second'],
    'quota of Step Functions: state transitions per second': unnamed,
    'quota of DynamoDB: write units per second of a table': unnamed,
    'quota of DynamoDB: read units per second of a table': unnamed,
    'quota of KMS: signatures per second': unnamed,
  });
});

it('the stage check reports quotas that it may not read as unknown', async () => {
  world = { ...complete, quotaStatus: 400 };
  const found = (await allChecksOf()).filter(isQuota);
  expect(new Set(found.map(([, finding]) => finding.join(': ')))).toEqual(
    new Set(['unknown: Service Quotas responds with 400']),
  );
});

it('the stage check finds nothing missing on a complete stage', async () => {
  expect(await checksOf()).toEqual({
    'key of fal': ['ok', 'in the secret generation-service/dev/engines/fal'],
    'Content Credentials': ['ok', 'in the secret generation-service/dev/content-certificates'],
    'alarm recipients': ['ok', 'ana@example.com'],
    API: ['ok', server.url],
    'engine callbacks': ['ok', expect.any(String)],
    'Lambda concurrency': ['ok', '1000 concurrent executions'],
  });
});

it('the stage check repeats the reason that a stage’s settings give for not signing results', async () => {
  world = { ...complete, certificates: { __type: 'ResourceNotFoundException' } };
  const reason = 'The key is certified next week.';
  const { 'Content Credentials': found } = await checksOf({ ContentCredentialsOff: reason });
  expect(found).toEqual(['ok', `results are not marked: ${reason}`]);
});

it('the stage check reports that the key for signing results has no certificate', async () => {
  world = { ...complete, certificates: { __type: 'ResourceNotFoundException' } };
  const { 'Content Credentials': found } = await checksOf();
  expect(found).toEqual(['missing', 'certify the key that signs results with "content certify"']);
});

it('the stage check looks for YouTube’s key on a stage that has a setting for it', async () => {
  world = { ...complete, secret: { __type: 'ResourceNotFoundException' } };
  const { 'key of youtube': key } = await checksOf({ YoutubeSecret: 'generation-service/dev/youtube' });
  expect(key).toEqual(['missing', 'store it with "engine set-key --engine youtube"']);
});

it.each([
  ['key of fal', 'no secret', { secret: { __type: 'ResourceNotFoundException' } }, 'engine set-key --engine fal'],
  ['key of fal', 'a deleted secret', { secret: { DeletedDate: 1 } }, 'scheduled for deletion'],
  ['alarm recipients', 'no subscription', { subscription: '' }, 'alarms notify no one'],
  ['alarm recipients', 'an unconfirmed subscription', { subscription: 'PendingConfirmation' }, 'ana@example.com'],
  [
    'API',
    'a failing dependency',
    { health: { status: 'degraded', checks: { database: 'failing' } } },
    'failing: database',
  ],
  ['engine callbacks', 'a firewall in front of them', { callbackStatus: 403 }, 'responds with 403'],
  ['Lambda concurrency', 'the quota of a new account', { concurrency: 10 }, 'request 1000 in Service Quotas'],
])('the stage check reports only "%s" as missing on a stage with %s', async (name, _case, changed, detail) => {
  world = { ...complete, ...changed };
  const { [name]: found, ...others } = await checksOf();
  expect(found).toEqual(['missing', expect.stringContaining(detail)]);
  expect(Object.values(others).map(([status]) => status)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok']);
});

it('the stage check reports a check that throws as unknown, and still performs the others', async () => {
  world = { ...complete, secret: { __type: 'AccessDeniedException', message: 'You may not describe it.' } };
  const { 'key of fal': key, ...others } = await checksOf();
  expect(key).toEqual(['unknown', 'You may not describe it.']);
  expect(Object.values(others).map(([status]) => status)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok']);
});

it('the stage check reports access to Bedrock models as unknown, because it cannot be checked', async () => {
  expect((await checksOf({ Engines: 'bedrock,fal' }))['models of bedrock']).toEqual(['unknown', expect.any(String)]);
});
