/** The secrets that prove to a receiver who sent a webhook: derived or used when needed, handed out never. */
import type { Settings } from './settings.ts';
import type { Jwk } from './signing-keys.ts';
import { webhookSecretsFromFiles } from './webhook-secrets-from-files.ts';
import { derivedKeys, webhookSecretsFromKms } from './webhook-secrets-from-kms.ts';

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

/** With the keys that the settings name: those of KMS by their ARNs, others by their files. */
export const webhookSecretsOf = ({ settings }: { readonly settings: Settings }): WebhookSecrets =>
  ['arn:', derivedKeys].some((start) => settings.webhookSigningKeys.startsWith(start))
    ? webhookSecretsFromKms(settings)
    : webhookSecretsFromFiles(settings);
