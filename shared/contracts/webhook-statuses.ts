/** The delivery statuses of a task's webhook. */
export const webhookStatuses = ['pending', 'delivered', 'failed'] as const;
export type WebhookStatus = (typeof webhookStatuses)[number];
