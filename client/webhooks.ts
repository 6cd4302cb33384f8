/** Receives and verifies webhooks. */
export type { TaskCompleted, TaskFailed } from './operations.ts';
export {
  verifyWebhook,
  type WebhookKey,
  type WebhookKeySet,
  type WebhookRejection,
  type WebhookRequest,
  type WebhookVerdict,
} from './verify-webhook.ts';
export * from './webhook-handlers.ts';
export { type WebhookKeysOptions, webhookKeys } from './webhook-keys.ts';
