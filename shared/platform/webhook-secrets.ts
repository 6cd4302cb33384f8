/** The secrets that prove to a receiver who sent a webhook: derived or used when needed, handed out never. */
import { createHmac, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Settings } from './settings.ts';
import { type Jwk, readSigningKeys } from './signing-keys.ts';

export interface WebhookSecrets {
  /** The `webhookToken` of an API token: always the same for a token, unguessable without the key. */
  webhookTokenOf(tokenId: string): Promise<string>;
  /**
   * A message's signatures as `webhook-signature` has them: `v1a,` and base64 of an Ed25519 signature, one for each
   * published key, separated by spaces, the newest key's first.
   */
  sign(message: string): Promise<string>;
  /** What receivers verify with, the newest first; more than one while a rotation overlaps. */
  publicKeys(): Promise<readonly Jwk[]>;
}

/** Derives and signs with keys from files: for local development. Signing keys are read at each use: a rotation needs no restart. */
export function webhookSecretsFromFile({ settings }: { readonly settings: Settings }): WebhookSecrets {
  const key = readFileSync(settings.webhookKeyFile);
  return {
    async webhookTokenOf(tokenId) {
      return `whk_${createHmac('sha256', key).update(`webhook-token:${tokenId}`).digest('hex')}`;
    },
    async sign(message) {
      const keys = await readSigningKeys(settings.webhookSigningKeys);
      // By all of them: a receiver that has kept the public keys from before a rotation still finds one that it knows.
      return keys
        .map(({ privateKey }) => `v1a,${sign(null, Buffer.from(message), privateKey).toString('base64')}`)
        .join(' ');
    },
    async publicKeys() {
      return (await readSigningKeys(settings.webhookSigningKeys)).map(({ publicKey }) => publicKey);
    },
  };
}
