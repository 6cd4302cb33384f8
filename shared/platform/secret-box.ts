/** Encrypts short secrets, such as customers' tokens, so that the stored form is useless without a key. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { DecryptCommand, EncryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { mediumTimeoutClient } from './sdk-client.ts';
import type { Settings } from './settings.ts';

/**
 * Identifies what a secret belongs to (the encryption context): opening needs the same values, so a secret cannot be
 * moved to another row.
 */
type Belonging = Readonly<Record<string, string>>;

export interface SecretBox {
  /** Encrypts at most 4,096 bytes of text; returns base64. */
  seal(secret: string, belonging: Belonging): Promise<string>;
  /** Decrypts a secret. @throws {Error} unless it was sealed with the same key and the same context */
  open(sealed: string, belonging: Belonging): Promise<string>;
}

/** Rejects a KMS response without the requested value. */
function given(bytes: Uint8Array | undefined): Buffer {
  if (!bytes) throw new Error('KMS responded without a value');
  return Buffer.from(bytes);
}

function boxInKms(settings: Settings): SecretBox {
  const client = new KMSClient({ ...mediumTimeoutClient, ...settings.aws('KMS') });
  const KeyId = settings.credentialsKey;
  return {
    async seal(secret, EncryptionContext) {
      const command = new EncryptCommand({ KeyId, Plaintext: Buffer.from(secret), EncryptionContext });
      return given((await client.send(command)).CiphertextBlob).toString('base64');
    },
    async open(sealed, EncryptionContext) {
      const CiphertextBlob = Buffer.from(sealed, 'base64');
      const command = new DecryptCommand({ KeyId, CiphertextBlob, EncryptionContext });
      return given((await client.send(command)).Plaintext).toString();
    },
  };
}

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

const bytesOf = (belonging: Belonging): Buffer => {
  const names = Object.keys(belonging).toSorted((one, other) => one.localeCompare(other, 'en'));
  return Buffer.from(JSON.stringify(names.map((name) => [name, belonging[name]])));
};

/** Creates a secret box whose key is 32 bytes from a file, as hex: for local development. */
function boxOfFile(settings: Settings): SecretBox {
  const key = async () => Buffer.from(await readFile(settings.credentialsKey, 'utf8'), 'hex');
  return {
    async seal(secret, belonging) {
      const nonce = randomBytes(nonceBytes);
      const sealing = createCipheriv(cipher, await key(), nonce).setAAD(bytesOf(belonging));
      const sealed = Buffer.concat([sealing.update(secret, 'utf8'), sealing.final()]);
      return Buffer.concat([nonce, sealing.getAuthTag(), sealed]).toString('base64');
    },
    async open(sealed, belonging) {
      const bytes = Buffer.from(sealed, 'base64');
      const opening = createDecipheriv(cipher, await key(), bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
        .setAAD(bytesOf(belonging))
        .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
      return Buffer.concat([opening.update(bytes.subarray(nonceBytes + tagBytes)), opening.final()]).toString();
    },
  };
}

/** Creates a secret box with the configured key: a KMS key if it is an ARN, otherwise a file. */
export const secretBoxOf = ({ settings }: { readonly settings: Settings }): SecretBox =>
  settings.credentialsKey.startsWith('arn:') ? boxInKms(settings) : boxOfFile(settings);
