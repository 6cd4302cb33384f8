import { webhookSecretsOf } from '../../shared/platform/webhook-secrets.ts';
import { type Document, documentLambda } from '../../shared/runtime/document-lambda.ts';

/** Returns the public keys for verifying webhooks, as a JWK Set (RFC 7517). */
export const listWebhookKeys: Document<'webhookSecrets'> = async ({ webhookSecrets }) => ({
  body: JSON.stringify({ keys: await webhookSecrets.publicKeys() }),
});

export const definition = documentLambda('listWebhookKeys', listWebhookKeys, { webhookSecrets: webhookSecretsOf });
