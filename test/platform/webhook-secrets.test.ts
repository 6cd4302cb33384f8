/** Signing keys from files, compared with an independent implementation. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { verifyWebhook } from '../../client/verify-webhook.ts';
import { settingsOf, settingVariables } from '../../shared/platform/settings.ts';
import { type WebhookSecrets, webhookSecretsOf } from '../../shared/platform/webhook-secrets.ts';
import fixture from '../client/fixtures/vectors.json' with { type: 'json' };

const pemOf = (base64: string) => `-----BEGIN PRIVATE KEY-----\n${base64}\n-----END PRIVATE KEY-----\n`;
const pem = pemOf(fixture.privateKey);

const anotherPem = () => generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

let directory: string;
let secrets: WebhookSecrets;

const put = (name: string, content: string) => writeFileSync(join(directory, name), content);

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'signing-keys-'));
  put('webhook.key', 'an idempotency key');
  const settings = settingsOf({
    [settingVariables.webhookTokenKey]: join(directory, 'webhook.key'),
    [settingVariables.webhookSigningKeys]: directory,
  });
  secrets = webhookSecretsOf({ settings });
  return () => rmSync(directory, { recursive: true });
});

test.each(fixture.vectors)(
  'the webhook signer and an independent implementation produce the same signature for "$name"',
  async (vector) => {
    put('1.pem', pem);
    const { id, timestamp, body, signatures } = vector;
    expect(await secrets.sign(`${id}.${timestamp}.${body}`)).toBe(signatures[0]);
  },
);

test('the webhook signer publishes the same JWK as the independent implementation, without private members', async () => {
  put('1.pem', pem);
  expect(await secrets.publicKeys()).toEqual([fixture.keys[0]]);
});

test('the webhook signer makes the same signatures as openssl with a key that openssl created', async () => {
  const { privateKey, x, message, signature } = fixture.openssl;
  put('1.pem', pemOf(privateKey));
  expect(await secrets.sign(message)).toBe(signature);
  expect(await secrets.publicKeys()).toMatchObject([{ x }]);
});

test('webhook keys are used and published in the order of their numbers, highest first, and other files are ignored', async () => {
  put('2.pem', anotherPem());
  put('9.pem', anotherPem());
  put('10.pem', pem);
  for (const name of ['0.pem', '1.pem.old', 'old-1.pem', 'README']) put(name, 'another file');
  const keys = await secrets.publicKeys();
  expect(keys.map(({ kid }) => kid)[0]).toBe(fixture.keys[0]?.kid);
  const signatures = (await secrets.sign('msg_1.1795262400.{}')).split(' ');
  expect(signatures).toHaveLength(3);
  const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': '1795262400' };
  const verdicts = signatures.map(async (signature, index) => {
    const matching = keys.filter((_, other) => other === index);
    const signed = { ...headers, 'webhook-signature': signature };
    return (await verifyWebhook({ body: '{}', headers: signed, keys: matching, now: 1_795_262_400_000 })).ok;
  });
  expect(await Promise.all(verdicts)).toEqual([true, true, true]);
});

test('from the next signature on, a new webhook key is used and a deleted one is not', async () => {
  put('1.pem', pem);
  const [old] = await secrets.publicKeys();
  put('2.pem', anotherPem());
  const [added, kept] = await secrets.publicKeys();
  expect(kept).toEqual(old);
  rmSync(join(directory, '1.pem'));
  expect(await secrets.publicKeys()).toEqual([added]);
  expect((await secrets.sign('x')).split(' ')).toHaveLength(1);
});

test('the webhook signer throws if there is no key, instead of sending an unverifiable webhook', async () => {
  await expect(secrets.sign('x')).rejects.toThrow(`${directory} contains no key to sign webhooks`);
  await expect(secrets.publicKeys()).rejects.toThrow('contains no key');
});

test('the error about a file that is not an Ed25519 key names the file without quoting its content', async () => {
  const reason = async () => {
    const error = await secrets.sign('x').catch((thrown: unknown) => thrown);
    return String(error);
  };
  const file = join(directory, '1.pem');
  const { privateKey } = generateKeyPairSync('x25519');
  put('1.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  expect(await reason()).toBe(`Error: ${file} is not an Ed25519 private key in PKCS#8 PEM`);
  put('1.pem', readFileSync(file, 'utf8').slice(0, 60));
  expect(await reason()).toBe(`Error: ${file} is not an Ed25519 private key in PKCS#8 PEM`);
});
