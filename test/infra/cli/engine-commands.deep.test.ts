/** Storing the keys of engines, before a stage is deployed and while it runs. */
import { text } from 'node:stream/consumers';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import cdkJson from '../../../cdk.json' with { type: 'json' };
import { describedStage } from '../../../infra/aws/described-stage.ts';
import { runCommandLine } from '../../../infra/cli/run-command-line.ts';
import { localServer } from '../../support/local-server.ts';
import { callerIdentity } from './caller-identity.ts';
import { runTool } from './run-tool.ts';

const secrets = new Map<string, string>();
/** The output of the deployed stack that names the secret; undefined while nothing is deployed. */
let deployedSecret: string | undefined;

const operations: Readonly<Record<string, (parameters: Readonly<Record<string, string>>) => object>> = {
  PutSecretValue({ SecretId = '', SecretString = '' }) {
    if (!secrets.has(SecretId)) return { __type: 'ResourceNotFoundException', message: 'there is no such secret' };
    secrets.set(SecretId, SecretString);
    return { Name: SecretId };
  },
  CreateSecret({ Name = '', SecretString = '' }) {
    if (secrets.has(Name)) return { __type: 'ResourceExistsException', message: 'there is such a secret' };
    secrets.set(Name, SecretString);
    return { Name };
  },
};

const missingStack =
  '<ErrorResponse><Error><Code>ValidationError</Code><Message>Stack does not exist</Message></Error></ErrorResponse>';

const stackWith = (secret: string) =>
  `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><Outputs><member>
  <OutputKey>FalEngineSecret</OutputKey><OutputValue>${secret}</OutputValue></member><member>
  <OutputKey>TableName</OutputKey><OutputValue>table</OutputValue></member><member>
  <OutputKey>WebhookSigningKeys</OutputKey><OutputValue>arn:aws:kms:us-east-1:123456789012:key/a</OutputValue></member><member>
  <OutputKey>WebhookTokenKey</OutputKey><OutputValue>arn:aws:kms:us-east-1:123456789012:key/b</OutputValue>
  </member></Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;

const aws = await localServer(async (request, response) => {
  const body = await text(request);
  const [, operation] = String(request.headers['x-amz-target']).split('.');
  if (body.includes('Action=GetCallerIdentity')) {
    response.end(callerIdentity);
    return;
  }
  if (!operation) {
    response.writeHead(deployedSecret ? 200 : 400).end(deployedSecret ? stackWith(deployedSecret) : missingStack);
    return;
  }
  const result = operations[operation]?.(JSON.parse(body) as Record<string, string>) ?? {};
  response.writeHead('__type' in result ? 400 : 200).end(JSON.stringify(result));
});

afterAll(() => aws.close());

beforeEach(() => {
  secrets.clear();
  deployedSecret = undefined;
  return () => vi.unstubAllEnvs();
});

const named = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test', AWS_REGION: 'us-east-1' };

const command = (stage: string) => ['engine', 'set-key', '--engine', 'fal', '--reason', 'A new key.', '--stage', stage];

const toolWith = (environment: Readonly<Record<string, string>>, key: string) =>
  runTool(command('dev'), { AWS_ENDPOINT_URL: aws.url, ...environment }, key);

/**
 * Runs the command in this process, which takes a tenth of the time. The SDK reads its settings only from the
 * environment.
 */
function setKey(key: string, stage = 'dev') {
  for (const [name, value] of Object.entries({ AWS_ENDPOINT_URL: aws.url, ...named })) vi.stubEnv(name, value);
  return runCommandLine(command(stage), { environment: process.env, input: async () => key });
}

const secretName = describedStage('dev').engines.fal?.secretName ?? '';

it('`engine set-key` creates the stage’s secret with the first key, and replaces its value with later keys', async () => {
  const first = await toolWith(named, 'key-number-one\n');
  expect(first).toEqual({ exitCode: 0, stdout: expect.stringContaining(`new secret ${secretName}`), stderr: '' });
  expect([...secrets]).toEqual([[secretName, 'key-number-one']]);

  const second = await setKey('key-number-two');
  expect(second).toEqual({ exitCode: 0, stdout: expect.stringContaining('within 5 minutes'), stderr: '' });
  expect([...secrets]).toEqual([[secretName, 'key-number-two']]);
});

it('`engine set-key` stores the key in the secret that a deployed stage reads, even if cdk.json names another one', async () => {
  deployedSecret = 'from-the-command-line';
  expect(await setKey('key-number-one')).toMatchObject({ exitCode: 0, stderr: '' });
  expect(await setKey('key-number-two', 'ana')).toMatchObject({ exitCode: 0 });
  expect([...secrets]).toEqual([['from-the-command-line', 'key-number-two']]);
});

it.each([
  ['empty', ''],
  ['too short', 'short'],
  ['two lines long', 'key-number-one\nkey-number-two'],
])('`engine set-key` stores no key when the input is %s, and does not print the input', async (_, key) => {
  const { exitCode, stdout, stderr } = await setKey(key);

  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toBe('The key on standard input must be one line of at least 8 visible characters.\n');
  expect(secrets.size).toBe(0);
});

it('`engine set-key` names the existing stages if a stage does not exist', async () => {
  const { exitCode, stderr } = await setKey('key-number-one', 'test');

  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr: `There is no stage "test". The stages are ${Object.keys(cdkJson.context.stages).join(', ')}.\n`,
  });
});

const nowhere = {
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  AWS_EC2_METADATA_DISABLED: 'true',
};
const { AWS_REGION, ...account } = named;

it.each([
  ['region', account, 'The environment names no AWS region: set AWS_REGION.\n'],
  ['account', { AWS_REGION }, 'The environment names no AWS account: set AWS_PROFILE to a profile with credentials.\n'],
])('`engine set-key` says which variable to set if the environment has no %s', async (_, given, sentence) => {
  const { exitCode, stderr } = await toolWith({ ...nowhere, ...given }, 'key-number-one');

  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: sentence });
});
