/** Webhook secrets with keys that never leave KMS. */
import { createPublicKey } from 'node:crypto';
import { GenerateMacCommand, GetPublicKeyCommand, KMSClient, SignCommand } from '@aws-sdk/client-kms';
import { patientClient } from './sdk-client.ts';
import type { Settings } from './settings.ts';
import { type Jwk, publicJwk } from './signing-keys.ts';
import { signatureHeader, webhookTokenMessage, webhookTokenText } from './webhook-secret-forms.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';

/** An answer of KMS without what it was asked for is none. */
function given(bytes: Uint8Array | undefined): Uint8Array {
  if (!bytes) throw new Error('KMS answered without a value');
  return bytes;
}

/**
 * The settings name an HMAC key (`HMAC_256`) by its ARN, and signing keys (`ECC_NIST_EDWARDS25519`) by theirs, separated
 * by commas, the newest first. KMS signs at most 4,096 bytes at once.
 * https://docs.aws.amazon.com/kms/latest/APIReference/API_Sign.html
 */
export function webhookSecretsFromKms(settings: Settings): WebhookSecrets {
  const client = new KMSClient({ ...patientClient, ...settings.aws('KMS') });
  const signingKeys = settings.webhookSigningKeys.split(',');
  const published = new Map<string, Promise<Jwk>>();

  const signatureBy = async (KeyId: string, message: Uint8Array): Promise<Uint8Array> => {
    const SigningAlgorithm = 'ED25519_SHA_512';
    const command = new SignCommand({ KeyId, SigningAlgorithm, MessageType: 'RAW', Message: message });
    return given((await client.send(command)).Signature);
  };

  const readPublicKey = async (KeyId: string): Promise<Jwk> => {
    const { PublicKey } = await client.send(new GetPublicKeyCommand({ KeyId }));
    const key = { key: Buffer.from(given(PublicKey)), format: 'der', type: 'spki' } as const;
    return publicJwk(createPublicKey(key));
  };

  /** A key's public half never changes: one question for each function's life, but for one that failed. */
  const publicKeyOf = (keyId: string): Promise<Jwk> => {
    const known = published.get(keyId) ?? readPublicKey(keyId);
    published.set(keyId, known);
    known.catch(() => published.delete(keyId));
    return known;
  };

  return {
    async webhookTokenOf(tokenId) {
      const Message = Buffer.from(webhookTokenMessage(tokenId));
      const command = new GenerateMacCommand({
        KeyId: settings.webhookTokenKey,
        MacAlgorithm: 'HMAC_SHA_256',
        Message,
      });
      return webhookTokenText(given((await client.send(command)).Mac));
    },
    async sign(message) {
      const bytes = Buffer.from(message);
      return signatureHeader(await Promise.all(signingKeys.map((keyId) => signatureBy(keyId, bytes))));
    },
    publicKeys: () => Promise.all(signingKeys.map(publicKeyOf)),
  };
}
