/** Sealed secrets, with a key in KMS or in a file: both have the same guarantees. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type SecretBox, secretBoxOf } from '../../shared/platform/secret-box.ts';
import { settingsOf, settingVariables } from '../../shared/platform/settings.ts';
import { awsJsonEndpoint, type Parameters } from '../support/aws-json-endpoint.ts';

const keyArn = 'arn:aws:kms:us-east-1:123456789012:key/credentials';
const folder = mkdtempSync(join(tmpdir(), 'secret-box-'));
const token = 'IGAAtoken-of-a-page';
const belonging = { account: 'account-1', channel: 'instagram' };
const boxes: Record<string, SecretBox> = {};
const box = (name: string): SecretBox => boxes[name] ?? expect.fail(`there is no box ${name}`);

/** Behaves like KMS, as far as clients can see: a sealed secret can only be opened for the same context. */
const sealedForKms = new Map<string, { plaintext: string; context: string }>();
function respond(operation: string, parameters: Parameters): object | undefined {
  const { KeyId, Plaintext = '', CiphertextBlob = '', EncryptionContext } = parameters;
  const context = JSON.stringify(EncryptionContext);
  if (KeyId !== keyArn) return undefined;
  if (operation === 'Encrypt') {
    const blob = createHash('sha256').update(`${Plaintext}${sealedForKms.size}`).digest('base64');
    sealedForKms.set(blob, { plaintext: Plaintext, context });
    return { KeyId: keyArn, CiphertextBlob: blob };
  }
  const sealed = sealedForKms.get(CiphertextBlob);
  if (operation === 'Decrypt' && sealed?.context === context) return { KeyId: keyArn, Plaintext: sealed.plaintext };
  return { __type: 'InvalidCiphertextException' };
}

const kms = await awsJsonEndpoint(respond);
const access = { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' };
const keyFile = (name: string, digit: string): string => {
  writeFileSync(join(folder, name), digit.repeat(64));
  return join(folder, name);
};
const boxWith = (key: string) =>
  secretBoxOf({
    settings: settingsOf({ ...access, AWS_ENDPOINT_URL_KMS: kms.url, [settingVariables.credentialsKey]: key }),
  });
boxes.kms = boxWith(keyArn);
boxes.file = boxWith(keyFile('one.key', 'a'));
boxes.otherFile = boxWith(keyFile('other.key', 'b'));
afterAll(async () => {
  await kms.close();
  rmSync(folder, { recursive: true });
});

describe.for([
  ['KMS', 'kms'],
  ['a file', 'file'],
] as const)('encryption with a key in %s', ([, name]) => {
  test('decrypts what it has encrypted, and its output reveals nothing', async () => {
    const sealed = await box(name).seal(token, belonging);
    expect(Buffer.from(sealed, 'base64').includes(token)).toBe(false);
    expect(await box(name).open(sealed, belonging)).toBe(token);
  });

  test('encrypts the same secret differently each time', async () => {
    expect(await box(name).seal(token, belonging)).not.toBe(await box(name).seal(token, belonging));
  });

  test('cannot decrypt a secret for another account or channel', async () => {
    const sealed = await box(name).seal(token, belonging);
    await expect(box(name).open(sealed, { ...belonging, account: 'account-2' })).rejects.toThrow();
    await expect(box(name).open(sealed, { ...belonging, channel: 'facebook' })).rejects.toThrow();
  });

  test('cannot decrypt a secret that was changed', async () => {
    const bytes = Buffer.from(await box(name).seal(token, belonging), 'base64');
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
    await expect(box(name).open(bytes.toString('base64'), belonging)).rejects.toThrow();
  });
});

test('a secret encrypted with the key of another file cannot be decrypted', async () => {
  const sealed = await box('file').seal(token, belonging);
  await expect(box('otherFile').open(sealed, belonging)).rejects.toThrow();
});
