/** Secret settings are read by their ARN, and again when they may have changed. */
import { afterAll, beforeEach, expect, test } from 'vitest';
import { localIdentity } from '../../infra/local/service-environment.ts';
import { type Secrets, secretsManager } from '../../shared/platform/secrets.ts';
import { settingsOf } from '../../shared/platform/settings.ts';
import { awsJsonEndpoint } from '../support/aws-json-endpoint.ts';

const arn = 'arn:aws:secretsmanager:us-east-1:123456789012:secret:engines/offline-AbCdEf';

let kept: string | undefined;
let questions: number;
let now: number;
let secrets: Secrets;

const endpoint = await awsJsonEndpoint((operation, { SecretId }) => {
  questions += 1;
  const isKnown = operation === 'GetSecretValue' && SecretId === arn && kept !== undefined;
  return isKnown ? { ARN: arn, SecretString: kept } : undefined;
});
const settings = settingsOf({ ...localIdentity, AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoint.url });
afterAll(() => endpoint.close());

beforeEach(() => {
  [kept, questions, now] = ['first', 0, 0];
  secrets = secretsManager({ clock: { now: () => now }, settings });
});

test('a secret setting that is not an ARN is used as the secret itself, without a request', async () => {
  expect(await secrets.read('a key as it is')).toBe('a key as it is');
  expect(questions).toBe(0);
});

test('a secret is read at most once in five minutes, after which a change takes effect', async () => {
  expect(await secrets.read(arn)).toBe('first');
  kept = 'second';
  now = 5 * 60_000 - 1;
  expect(await secrets.read(arn)).toBe('first');
  expect(questions).toBe(1);
  now = 5 * 60_000;
  expect(await secrets.read(arn)).toBe('second');
});

test('a secret that was read before remains in use while Secrets Manager fails; if none was read, an error is thrown', async () => {
  await secrets.read(arn);
  kept = undefined;
  now = 6 * 60_000;
  expect(await secrets.read(arn)).toBe('first');
  await expect(secretsManager({ clock: { now: () => 0 }, settings }).read(arn)).rejects.toThrow();
  kept = '';
  await expect(secretsManager({ clock: { now: () => 0 }, settings }).read(arn)).rejects.toThrow(
    'a secret contains no text',
  );
});
