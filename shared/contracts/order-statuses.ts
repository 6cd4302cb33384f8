/** The statuses of an order, in the order in which it goes through them. */
export const orderStatuses = ['pending', 'paid', 'expired', 'canceled', 'failed', 'refunded'] as const;
export type OrderStatus = (typeof orderStatuses)[number];
