/** The queues between the service's functions, each of which has dead letters. */
export const messageQueues = ['webhooks', 'payment-events', 'inbox'] as const;
