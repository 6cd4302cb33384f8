/** Webhook secrets with keys in KMS: the requests to KMS, and that receivers can verify the results. */
import { createHmac, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { settingsOf, settingVariables } from '../../shared/platform/settings.ts';
import { type WebhookSecrets, webhookSecretsOf } from '../../shared/platform/webhook-secrets.ts';
import fixture from '../client/fixtures/vectors.json' with { type: 'json' };
import { awsJsonEndpoint, type Parameters } from '../support/aws-json-endpoint.ts';

const arn = (name: string) => `arn:aws:kms:us-east-1:123456789012:key/${name}`;
const privateKey = (base64: string) =>
  createPrivateKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'pkcs8' });

const hmacKey = 'bytes that only KMS has';
const keys: Readonly<Record<string, KeyObject>> = {
  [arn('newest')]: privateKey(fixture.privateKey),
  [arn('older')]: privateKey(fixture.openssl.privateKey),
};

interface Asked {
  readonly operation: string;
  readonly parameters: Parameters;
}

let asked: Asked[];
let isDown: boolean;
let secrets: WebhookSecrets;

/** Responds like KMS, and only to documented requests. */
function response({ operation, parameters }: Asked): object | undefined {
  const { KeyId = '', Message = '' } = parameters;
  const message = Buffer.from(Message, 'base64');
  const key = keys[KeyId];
  if (operation === 'GenerateMac' && KeyId === arn('hmac') && parameters.MacAlgorithm === 'HMAC_SHA_256') {
    return { KeyId, Mac: createHmac('sha256', hmacKey).update(message).digest('base64') };
  }
  if (operation === 'GetPublicKey' && key) {
    return { KeyId, PublicKey: createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64') };
  }
  const isRaw = parameters.SigningAlgorithm === 'ED25519_SHA_512' && parameters.MessageType === 'RAW';
  if (operation === 'Sign' && key && isRaw) return { KeyId, Signature: sign(null, message, key).toString('base64') };
  return undefined;
}

const kms = await awsJsonEndpoint((operation, parameters) => {
  const one = { operation, parameters };
  asked.push(one);
  return isDown ? undefined : response(one);
});
Object.assign(process.env, {
  AWS_ENDPOINT_URL_KMS: kms.url,
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
});
afterAll(() => kms.close());

const secretsWith = (signingKeys: string) =>
  webhookSecretsOf({
    settings: settingsOf({
      [settingVariables.webhookTokenKey]: arn('hmac'),
      [settingVariables.webhookSigningKeys]: signingKeys,
    }),
  });

beforeEach(() => {
  [asked, isDown] = [[], false];
  secrets = secretsWith(`${arn('newest')},${arn('older')}`);
});

test('a webhook token is KMS’s MAC of its id, the same for the same id and different for another', async () => {
  const token = await secrets.webhookTokenOf('token-1');
  expect(token).toBe(`whk_${createHmac('sha256', hmacKey).update('webhook-token:token-1').digest('hex')}`);
  expect(await secrets.webhookTokenOf('token-1')).toBe(token);
  expect(await secrets.webhookTokenOf('token-2')).not.toBe(token);
});

test.each(fixture.vectors)(
  'KMS and an independent implementation produce the same signature for "$name"',
  async (vector) => {
    const { id, timestamp, body, signatures } = vector;
    expect(await secretsWith(arn('newest')).sign(`${id}.${timestamp}.${body}`)).toBe(signatures[0]);
  },
);

test('every KMS key signs, newest first, and all public keys are published in the same order', async () => {
  const [first, second] = (await secrets.sign(fixture.openssl.message)).split(' ');
  expect(first).toMatch(/^v1a,/);
  expect(second).toBe(fixture.openssl.signature);
  const published = await secrets.publicKeys();
  expect(published).toEqual([fixture.keys[0], expect.objectContaining({ x: fixture.openssl.x })]);
});

test('the public webhook keys are requested from KMS once, but again after a failure', async () => {
  isDown = true;
  await expect(secrets.publicKeys()).rejects.toThrow('no such thing');
  isDown = false;
  await secrets.publicKeys();
  asked = [];
  expect(await secrets.publicKeys()).toHaveLength(2);
  expect(asked).toEqual([]);
});

test('webhook tokens are derived without a signing key, and public keys are published without the key for webhook tokens', async () => {
  await secrets.webhookTokenOf('token-1');
  expect(asked.map(({ operation }) => operation)).toEqual(['GenerateMac']);
  const publishing = settingsOf({ [settingVariables.webhookSigningKeys]: arn('newest') });
  expect(await webhookSecretsOf({ settings: publishing }).publicKeys()).toEqual([fixture.keys[0]]);
});

test('webhook signing keys derived from HMAC keys are stable, and the published keys verify their signatures', async () => {
  const derived = secretsWith(`derived:${arn('hmac')}`);
  const [published] = await derived.publicKeys();
  const header = await derived.sign('a message');
  const signature = Buffer.from(header.slice('v1a,'.length), 'base64');
  const publicKey = createPublicKey({ key: { ...published }, format: 'jwk' });
  expect(verify(null, Buffer.from('a message'), publicKey, signature)).toBe(true);
  expect(await secretsWith(`derived:${arn('hmac')}`).publicKeys()).toEqual([published]);
  expect(asked.map(({ operation }) => operation)).not.toContain('Sign');
});
