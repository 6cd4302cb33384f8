/** How the delivery of a task's webhook stands. */
export const webhookStatuses = ['pending', 'delivered', 'failed'] as const;
export type WebhookStatus = (typeof webhookStatuses)[number];
