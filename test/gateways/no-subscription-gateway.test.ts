/** A service without a gateway for subscriptions. */
import { expect, test } from 'vitest';
import { noSubscriptionGateway } from '../../shared/gateways/no-subscription-gateway.ts';

test('a service without a subscription gateway creates no checkouts, finds no subscriptions and accepts no events', async () => {
  const request = { orderId: 'order', planId: 'pro', planName: 'Pro', billingCycle: 'monthly', cents: 14_990 } as const;
  const made = await noSubscriptionGateway.createCheckout({ ...request, email: 'ana@example.com', expiresAt: 0 });
  expect(made).toEqual({ refusal: expect.any(String) });
  expect(await noSubscriptionGateway.read('subject')).toBeUndefined();
  expect(await noSubscriptionGateway.readEvent({ headers: {}, query: {}, body: '{}' })).toBeUndefined();
  expect(await Array.fromAsync(noSubscriptionGateway.changedSince(0))).toEqual([]);
});
