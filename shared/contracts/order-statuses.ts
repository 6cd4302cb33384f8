/** The states of an order, in the order of its life. */
export const orderStatuses = ['pending', 'paid', 'expired', 'canceled', 'failed', 'refunded'] as const;
export type OrderStatus = (typeof orderStatuses)[number];
