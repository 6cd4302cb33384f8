/** Content is signed by a key in KMS or in a file, and both signatures verify. */
import { createHash, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assert, property, uint8Array } from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { certifyContentKey } from '../../infra/content-authority.ts';
import { dayMs, systemClock } from '../../shared/platform/clock.ts';
import { contentCertificate } from '../../shared/platform/content-certificate.ts';
import { plainSignature } from '../../shared/platform/content-signature-from-kms.ts';
import { contentSigner } from '../../shared/platform/content-signer.ts';
import { NotCertified } from '../../shared/platform/not-certified.ts';
import { settingsOf, settingVariables } from '../../shared/platform/settings.ts';
import { awsJsonEndpoint, type Parameters } from '../support/aws-json-endpoint.ts';
import { stillClock } from '../support/stepped-clock.ts';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const arn = 'arn:aws:kms:us-east-1:123456789012:key/content';
const secretArn = 'arn:aws:secretsmanager:us-east-1:123456789012:secret:certificates-abcdef';
const { certificate, authority } = certifyContentKey(publicKey, 'Us', {
  from: new Date('2026-01-01T00:00:00Z'),
  until: new Date('2056-01-01T00:00:00Z'),
});

const asked: Parameters[] = [];
let lookups = 0;
const message = Buffer.from('what a manifest says, '.repeat(500));
const aws = await awsJsonEndpoint((operation, parameters) => {
  if (operation === 'GetSecretValue') {
    lookups += 1;
    const { SecretId } = parameters;
    return SecretId === secretArn
      ? { SecretString: certificate }
      : { __type: 'ResourceNotFoundException', message: 'there is no such secret' };
  }
  asked.push(parameters);
  return { Signature: sign('sha256', message, privateKey).toString('base64') };
});
afterAll(() => aws.close());
Object.assign(process.env, {
  AWS_ENDPOINT_URL_KMS: aws.url,
  AWS_ENDPOINT_URL_SECRETS_MANAGER: aws.url,
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
});

const signerWith = (key: string, certificates: string, clock = systemClock) =>
  contentSigner({
    clock,
    settings: settingsOf({
      [settingVariables.contentSigningKey]: key,
      [settingVariables.contentCertificates]: certificates,
    }),
  });

const isBy = (key: KeyObject, signature: Uint8Array): boolean =>
  signature.length === 64 && verify('sha256', message, { key, dsaEncoding: 'ieee-p1363' }, signature);

test('KMS signs the digest of a message of any length, and the signature has 64 bytes', async () => {
  const signer = signerWith(arn, secretArn);
  expect(isBy(publicKey, await signer.sign(message))).toBe(true);
  expect(asked).toEqual([
    {
      KeyId: arn,
      SigningAlgorithm: 'ECDSA_SHA_256',
      MessageType: 'DIGEST',
      Message: createHash('sha256').update(message).digest('base64'),
    },
  ]);
});

test('a signing key in a file signs like one in KMS', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'content-key-'));
  const file = join(folder, 'key');
  writeFileSync(file, privateKey.export({ format: 'pem', type: 'pkcs8' }));
  const signature = await signerWith(file, certificate).sign(message);
  rmSync(folder, { recursive: true });
  expect(isBy(publicKey, signature)).toBe(true);
});

test('every signature in DER is converted to the same numbers in 64 bytes', () => {
  assert(
    property(uint8Array({ maxLength: 200 }), (content) => {
      const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
      const plain = plainSignature(sign('sha256', content, privateKey));
      expect([plain.length, verify('sha256', content, key, plain)]).toEqual([64, true]);
    }),
  );
});

test.for(['', '30', '3003020101', '3006020101020205', '30080201010403000000'])(
  'the bytes %s are rejected because they are not a signature in DER',
  (digits) => {
    expect(() => plainSignature(Buffer.from(digits, 'hex'))).toThrow('not a signature in DER');
  },
);

test('certificates are read in order from a secret or from the setting itself, and a text without certificates is rejected', async () => {
  const [both, one] = await Promise.all([
    signerWith(arn, certificate + authority).certificates(),
    signerWith(arn, secretArn).certificates(),
  ]);
  expect(both).toHaveLength(2);
  expect(one).toEqual([both[0]]);
  await expect(signerWith(arn, 'none').certificates()).rejects.toThrow('are missing');
});

test('a signing key counts as uncertified as long as no certificates are stored, which is checked once a minute', async () => {
  const clock = stillClock();
  const signer = signerWith(arn, `${secretArn}-not-stored`, clock);
  lookups = 0;
  await expect(signer.certificates()).rejects.toThrow(NotCertified);
  await expect(signer.certificates()).rejects.toThrow(NotCertified);
  expect(lookups).toBe(1);
  clock.advance(60_000);
  await expect(signer.certificates()).rejects.toThrow(NotCertified);
  expect(lookups).toBe(2);
});

test('the remaining days of a stored certificate are known, and unknown if none is stored', async () => {
  const clock = stillClock();
  const daysLeftWith = (key: string, certificates: string) =>
    contentCertificate({
      clock,
      settings: settingsOf({
        [settingVariables.contentSigningKey]: key,
        [settingVariables.contentCertificates]: certificates,
      }),
    }).daysLeft();
  const until = Date.parse('2056-01-01T00:00:00Z');
  expect(await daysLeftWith(arn, secretArn)).toBe((until - clock.now()) / dayMs);
  expect(await daysLeftWith(arn, `${secretArn}-not-stored`)).toBeUndefined();
  expect(await daysLeftWith('none', 'nothing')).toBeUndefined();
});
