/** The secrets that prove to a receiver who sent a webhook; the keys themselves are never exposed. */
import type { Settings } from './settings.ts';
import type { Jwk } from './signing-keys.ts';
import { webhookSecretsFromFiles } from './webhook-secrets-from-files.ts';
import { derivedKeys, webhookSecretsFromKms } from './webhook-secrets-from-kms.ts';

export interface WebhookSecrets {
  /** The `webhookToken` of an API token: constant for a token, unguessable without the key. */
  webhookTokenOf(tokenId: string): Promise<string>;
  /**
   * A message's signatures in the format of `webhook-signature`: `v1a,` and base64 of an Ed25519 signature, one for
   * each published key, separated by spaces, newest key first.
   */
  sign(message: string): Promise<string>;
  /** The public keys for receivers, newest first; several during a rotation. */
  publicKeys(): Promise<readonly Jwk[]>;
}

/** What derives webhook tokens and signs nothing: it needs no signing keys. */
export type WebhookTokens = Pick<WebhookSecrets, 'webhookTokenOf'>;

export const webhookTokensOf = ({ settings }: { readonly settings: Settings }): WebhookTokens =>
  settings.webhookTokenKey.startsWith('arn:') ? webhookSecretsFromKms(settings) : webhookSecretsFromFiles(settings);

/** Uses the keys in the settings: KMS keys by their ARNs, others by their files. */
export const webhookSecretsOf = ({ settings }: { readonly settings: Settings }): WebhookSecrets =>
  ['arn:', derivedKeys].some((start) => settings.webhookSigningKeys.startsWith(start))
    ? webhookSecretsFromKms(settings)
    : webhookSecretsFromFiles(settings);
