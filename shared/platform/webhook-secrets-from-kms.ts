/** Webhook secrets with keys that never leave KMS. */
import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { GenerateMacCommand, GetPublicKeyCommand, KMSClient, SignCommand } from '@aws-sdk/client-kms';
import { mediumTimeoutClient } from './sdk-client.ts';
import type { Settings } from './settings.ts';
import { type Jwk, publicJwk } from './signing-keys.ts';
import { signatureHeader, webhookTokenMessage, webhookTokenText } from './webhook-secret-forms.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';

/** Rejects a KMS response without the requested value. */
function given(bytes: Uint8Array | undefined): Uint8Array {
  if (!bytes) throw new Error('KMS responded without a value');
  return bytes;
}

/** Prefix of ARNs of HMAC keys that replace signing keys on emulators whose KMS lacks Ed25519. */
export const derivedKeys = 'derived:';

/** The prefix of an Ed25519 private key's 32 bytes in PKCS#8 (RFC 8410). */
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Derives an Ed25519 key from a MAC: the same one for as long as the HMAC key exists. */
const keyFromSeed = (seed: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([pkcs8Head, seed]), format: 'der', type: 'pkcs8' });

/**
 * Creates webhook secrets from the ARN of an HMAC key (`HMAC_256`) and those of signing keys (`ECC_NIST_EDWARDS25519`),
 * separated by commas, newest first. KMS signs at most 4,096 bytes at once.
 * https://docs.aws.amazon.com/kms/latest/APIReference/API_Sign.html
 */
export function webhookSecretsFromKms(settings: Settings): WebhookSecrets {
  const client = new KMSClient({ ...mediumTimeoutClient, ...settings.aws('KMS') });
  // The setting is read on use, because not every function that derives webhook tokens has it.
  const isDerived = () => settings.webhookSigningKeys.startsWith(derivedKeys);
  const signingKeys = () => settings.webhookSigningKeys.slice(isDerived() ? derivedKeys.length : 0).split(',');
  const published = new Map<string, Promise<Jwk>>();

  const mac = async (KeyId: string, message: string): Promise<Uint8Array> => {
    const command = new GenerateMacCommand({ KeyId, MacAlgorithm: 'HMAC_SHA_256', Message: Buffer.from(message) });
    return given((await client.send(command)).Mac);
  };

  const derivedKey = async (keyId: string): Promise<KeyObject> => keyFromSeed(await mac(keyId, 'webhook signing key'));

  const signatureBy = async (KeyId: string, message: Uint8Array): Promise<Uint8Array> => {
    if (isDerived()) return sign(null, message, await derivedKey(KeyId));
    const SigningAlgorithm = 'ED25519_SHA_512';
    const command = new SignCommand({ KeyId, SigningAlgorithm, MessageType: 'RAW', Message: message });
    return given((await client.send(command)).Signature);
  };

  const readPublicKey = async (KeyId: string): Promise<Jwk> => {
    if (isDerived()) return publicJwk(createPublicKey(await derivedKey(KeyId)));
    const { PublicKey } = await client.send(new GetPublicKeyCommand({ KeyId }));
    const key = { key: Buffer.from(given(PublicKey)), format: 'der', type: 'spki' } as const;
    return publicJwk(createPublicKey(key));
  };

  /** Public keys never change, so each function instance requests each only once; failed requests are repeated. */
  const publicKeyOf = (keyId: string): Promise<Jwk> => {
    const known = published.get(keyId) ?? readPublicKey(keyId);
    published.set(keyId, known);
    known.catch(() => published.delete(keyId));
    return known;
  };

  return {
    async webhookTokenOf(tokenId) {
      return webhookTokenText(await mac(settings.webhookTokenKey, webhookTokenMessage(tokenId)));
    },
    async sign(message) {
      const bytes = Buffer.from(message);
      return signatureHeader(await Promise.all(signingKeys().map((keyId) => signatureBy(keyId, bytes))));
    },
    publicKeys: () => Promise.all(signingKeys().map(publicKeyOf)),
  };
}
