/** Creates the key that signs the Content Credentials of a local service, and its certificate, at the first start. */
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { certifyContentKey } from '../content-authority.ts';

export interface ContentKey {
  /** The path of the private key. */
  readonly key: string;
  /** The key's certificate, in PEM. */
  readonly certificates: string;
}

const lifetimeMs = 20 * 365 * 24 * 3_600_000;

const files = { key: 'signing.key', certificates: 'certificates.pem', authority: 'authority.pem' } as const;

/** Writes the files of a new key. The folder is renamed when they are complete, so that it is never incomplete. */
function createKey(folder: string, now: Date): void {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const validity = { from: now, until: new Date(now.getTime() + lifetimeMs) };
  const { certificate, authority } = certifyContentKey(publicKey, 'Generation Service (local)', validity);
  const unfinished = mkdtempSync(`${folder}.new-`);
  try {
    const write = (name: string, text: string) =>
      writeFileSync(join(unfinished, name), text, { mode: 0o600, flush: true });
    write(files.key, privateKey.export({ format: 'pem', type: 'pkcs8' }).toString());
    write(files.certificates, certificate);
    write(files.authority, authority);
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Another process may have created the folder first.
    if (!existsSync(folder)) throw error;
  }
}

/** The key and certificate in `<keysDir>/content`, beside the certificate of their authority. */
export function localContentKey(keysDir: string): ContentKey {
  const folder = join(keysDir, 'content');
  if (!existsSync(folder)) createKey(folder, new Date());
  return { key: join(folder, files.key), certificates: readFileSync(join(folder, files.certificates), 'utf8') };
}
