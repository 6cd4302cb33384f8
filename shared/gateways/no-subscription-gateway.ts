/** Used if no subscription gateway is configured: there are no subscriptions, and checkouts cannot be created. */
import type { SubscriptionGateway, SubscriptionReport } from './subscription-gateway.ts';

async function* nothing(): AsyncGenerator<SubscriptionReport> {}

export const noSubscriptionGateway: SubscriptionGateway = {
  name: 'none',
  createCheckout: async () => ({ refusal: 'no gateway for subscriptions is configured' }),
  read: async () => undefined,
  expireCheckout: async () => undefined,
  cancel: async () => undefined,
  changedSince: nothing,
  readEvent: async () => undefined,
};
