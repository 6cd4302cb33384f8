/** The keys of engines, which are kept before a stage is deployed and replaced while it runs. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { describedStage } from '../../../infra/aws/described-stage.ts';
import { awsJsonEndpoint } from '../../support/aws-json-endpoint.ts';
import type { LocalServer } from '../../support/local-server.ts';
import { runTool } from './run-tool.ts';

let secretsManager: LocalServer;
const secrets = new Map<string, string>();

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

beforeAll(async () => {
  secretsManager = await awsJsonEndpoint((operation, parameters) => operations[operation]?.(parameters));
});

afterAll(() => secretsManager.close());

beforeEach(() => secrets.clear());

const named = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test', AWS_REGION: 'us-east-1' };

const setKey = (key: string, { stage = 'dev', ...environment }: Readonly<Record<string, string>> = named) =>
  runTool(
    ['engine', 'set-key', '--engine', 'fal', '--stage', stage],
    { AWS_ENDPOINT_URL: secretsManager.url, ...environment },
    key,
  );

const secretName = describedStage('dev').engines.fal?.secretName ?? '';

it('creates the stage’s secret with the first key, and replaces its value with later keys', async () => {
  const first = await setKey('key-number-one\n');
  expect(first).toEqual({ exitCode: 0, stdout: expect.stringContaining(`new secret ${secretName}`), stderr: '' });
  expect([...secrets]).toEqual([[secretName, 'key-number-one']]);

  const second = await setKey('key-number-two');
  expect(second).toEqual({ exitCode: 0, stdout: expect.stringContaining('within 5 minutes'), stderr: '' });
  expect([...secrets]).toEqual([[secretName, 'key-number-two']]);
});

it.each([
  ['nothing', ''],
  ['a short one', 'short'],
  ['two lines', 'key-number-one\nkey-number-two'],
])('keeps no key when it is given %s, and repeats none of it', async (_, key) => {
  const { exitCode, stdout, stderr } = await setKey(key);

  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toBe('The key on standard input must be one line of at least 8 visible characters.\n');
  expect(secrets.size).toBe(0);
});

it('names the existing stages when a stage does not exist', async () => {
  const { exitCode, stderr } = await setKey('key-number-one', { ...named, stage: 'test' });

  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr: 'There is no stage "test". The stages are local, dev, prod.\n',
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
])('says which variable to set when the environment names no %s', async (_, given, sentence) => {
  const { exitCode, stderr } = await setKey('key-number-one', { ...nowhere, ...given });

  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: sentence });
});
