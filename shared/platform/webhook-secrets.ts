/** The secrets that prove to a receiver who sent a webhook: derived when needed, kept nowhere. */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Settings } from './settings.ts';

export interface WebhookSecrets {
  /** The `webhookToken` of an API token: always the same for a token, unguessable without the key. */
  webhookTokenOf(tokenId: string): Promise<string>;
}

/** Derives with a key from a file: for local development. */
export function webhookSecretsFromFile({ settings }: { readonly settings: Settings }): WebhookSecrets {
  const key = readFileSync(settings.webhookKeyFile);
  return {
    async webhookTokenOf(tokenId) {
      return `whk_${createHmac('sha256', key).update(`webhook-token:${tokenId}`).digest('hex')}`;
    },
  };
}
