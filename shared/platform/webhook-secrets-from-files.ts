/** Webhook secrets with keys from files, for local development. */
import { createHmac, sign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Settings } from './settings.ts';
import { readSigningKeys } from './signing-keys.ts';
import { signatureHeader, webhookTokenMessage, webhookTokenText } from './webhook-secret-forms.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';

/** Creates webhook secrets that read their keys on each use, so that a rotation needs no restart. */
export function webhookSecretsFromFiles(settings: Settings): WebhookSecrets {
  return {
    async webhookTokenOf(tokenId) {
      const key = await readFile(settings.webhookTokenKey);
      return webhookTokenText(createHmac('sha256', key).update(webhookTokenMessage(tokenId)).digest());
    },
    async sign(message) {
      const keys = await readSigningKeys(settings.webhookSigningKeys);
      return signatureHeader(keys.map(({ privateKey }) => sign(null, Buffer.from(message), privateKey)));
    },
    async publicKeys() {
      return (await readSigningKeys(settings.webhookSigningKeys)).map(({ publicKey }) => publicKey);
    },
  };
}
