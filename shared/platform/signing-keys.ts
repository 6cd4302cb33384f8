/** The keys that sign webhooks, as files in one folder: `1.pem`, `2.pem` and so on; the highest is the newest. */
import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A public key as published (RFC 8037). Its `kid` is the key's thumbprint (RFC 7638). */
export interface Jwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly kid: string;
  readonly use: 'sig';
  readonly alg: 'EdDSA';
}

export interface SigningKey {
  readonly privateKey: KeyObject;
  readonly publicKey: Jwk;
}

const fileName = /^([1-9]\d{0,8})\.pem$/;

/** The path of the n-th key in a folder. */
export const signingKeyFile = (directory: string, number: number): string => join(directory, `${number}.pem`);

/** The numbers of the keys in a folder, newest first; other files are ignored. */
export const signingKeyNumbers = async (directory: string): Promise<number[]> =>
  (await readdir(directory))
    .flatMap((name) => fileName.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => b - a);

export function publicJwk(publicKey: KeyObject): Jwk {
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const identifying = { crv: 'Ed25519', kty: 'OKP', x } as const;
  const kid = createHash('sha256').update(JSON.stringify(identifying)).digest('base64url');
  return { kty: 'OKP', crv: 'Ed25519', x, kid, use: 'sig', alg: 'EdDSA' };
}

/** Parses an Ed25519 key in PKCS#8 PEM. @throws {Error} with a message that does not quote the file */
export async function readSigningKey(file: string): Promise<SigningKey> {
  const pem = await readFile(file);
  const notOurs = `${file} is not an Ed25519 private key in PKCS#8 PEM`;
  let privateKey: KeyObject;
  try {
    privateKey = createPrivateKey(pem);
  } catch {
    throw new Error(notOurs);
  }
  if (privateKey.asymmetricKeyType !== 'ed25519') throw new Error(notOurs);
  return { privateKey, publicKey: publicJwk(createPublicKey(privateKey)) };
}

async function readUnlessGone(file: string): Promise<SigningKey[]> {
  try {
    return [await readSigningKey(file)];
  } catch (error) {
    // An operator may delete a key file at any moment to retire the key.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Reads all keys in a folder, newest first. @throws {Error} if there are none */
export async function readSigningKeys(directory: string): Promise<readonly SigningKey[]> {
  const files = (await signingKeyNumbers(directory)).map((number) => signingKeyFile(directory, number));
  const keys = (await Promise.all(files.map(readUnlessGone))).flat();
  if (keys.length === 0) throw new Error(`${directory} contains no key to sign webhooks`);
  return keys;
}
