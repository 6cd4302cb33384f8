/** The secrets that prove to a receiver who sent a webhook; the keys themselves are never exposed. */
import type { Settings } from './settings.ts';
import type { Jwk } from './signing-keys.ts';
import { webhookSecretsFromFiles } from './webhook-secrets-from-files.ts';
import { derivedKeys, webhookSecretsFromKms } from './webhook-secrets-from-kms.ts';

export interface WebhookSecrets {
  /** The `webhookToken` of an API token: the same for every webhook, and unguessable without the key. */
  webhookTokenOf(tokenId: string): Promise<string>;
  /**
   * Signs a message in the format of the `webhook-signature` header: for each published key, newest first, `v1a,` and a
   * base64 Ed25519 signature, separated by spaces.
   */
  sign(message: string): Promise<string>;
  /** The public keys that receivers verify with, newest first; there are several during a rotation. */
  publicKeys(): Promise<readonly Jwk[]>;
}

/** Derives webhook tokens without signing, so it needs no signing keys. */
export type WebhookTokens = Pick<WebhookSecrets, 'webhookTokenOf'>;

export const webhookTokensOf = ({ settings }: { readonly settings: Settings }): WebhookTokens =>
  settings.webhookTokenKey.startsWith('arn:') ? webhookSecretsFromKms(settings) : webhookSecretsFromFiles(settings);

/** Creates webhook secrets with the configured keys: KMS keys if they are ARNs, otherwise files. */
export const webhookSecretsOf = ({ settings }: { readonly settings: Settings }): WebhookSecrets =>
  ['arn:', derivedKeys].some((start) => settings.webhookSigningKeys.startsWith(start))
    ? webhookSecretsFromKms(settings)
    : webhookSecretsFromFiles(settings);
