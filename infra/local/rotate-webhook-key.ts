/** Creates the keys that sign a local service's webhooks: one at its first start, and more to rotate. */
import { generateKeyPairSync } from 'node:crypto';
import { linkSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Jwk,
  readSigningKey,
  readSigningKeys,
  signingKeyFile,
  signingKeyNumbers,
} from '../../shared/platform/signing-keys.ts';

/**
 * Writes a new key file. It is synced before it is linked into place, so that it is never incomplete and concurrent
 * rotations do not overwrite each other.
 */
function writeNew(directory: string, file: string, pem: string): boolean {
  const unfinished = mkdtempSync(join(directory, 'new-'));
  try {
    const whole = join(unfinished, 'key');
    writeFileSync(whole, pem, { mode: 0o600, flush: true });
    linkSync(whole, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(unfinished, { recursive: true });
  }
}

async function addKey(directory: string): Promise<string> {
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  for (;;) {
    const [newest = 0] = await signingKeyNumbers(directory);
    const file = signingKeyFile(directory, newest + 1);
    if (writeNew(directory, file, pem)) return file;
  }
}

/** The folder of the signing keys, with at least one key. */
export async function webhookSigningKeys(keysDir: string): Promise<string> {
  const directory = join(keysDir, 'webhook-signing');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if ((await signingKeyNumbers(directory)).length === 0) await addKey(directory);
  return directory;
}

export interface Rotation {
  /** The new key's `kid`. */
  readonly kid: string;
  readonly file: string;
  /** All published keys, newest first. */
  readonly published: readonly Jwk[];
  /** The files of earlier keys; deleting a file retires its key. */
  readonly earlierFiles: readonly string[];
}

/** Adds a key. A running service signs its next webhook with it, in addition to the earlier keys. */
export async function rotateWebhookKey(directory: string): Promise<Rotation> {
  const file = await addKey(directory);
  const { publicKey } = await readSigningKey(file);
  const published = (await readSigningKeys(directory)).map((key) => key.publicKey);
  const files = (await signingKeyNumbers(directory)).map((number) => signingKeyFile(directory, number));
  return { kid: publicKey.kid, file, published, earlierFiles: files.filter((other) => other !== file) };
}
