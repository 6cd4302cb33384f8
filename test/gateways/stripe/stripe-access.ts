/** The access to Stripe's sandbox that tests use. */
import { type StripeAccess, stripeGateway } from '../../../shared/gateways/stripe/stripe-gateway.ts';
import type { SubscriptionGateway } from '../../../shared/gateways/subscription-gateway.ts';
import { systemClock } from '../../../shared/platform/clock.ts';

export const stripeKey = 'sk_test_adapter';
export const webhookSecret = 'whsec_adapter';

export interface TestAccess extends Partial<Pick<StripeAccess, 'checkoutLimitMs' | 'timeLimitMs' | 'url'>> {
  readonly key?: string;
  readonly stageName?: string;
  readonly now?: () => number;
}

export const gatewayWith = ({ key, stageName, now, ...access }: TestAccess): SubscriptionGateway =>
  stripeGateway({
    url: 'http://127.0.0.1:9',
    ...access,
    key: async () => key ?? stripeKey,
    webhookSecret: async () => webhookSecret,
    returnUrl: () => 'https://shop.example/plans?from=service',
    stageName: () => stageName ?? 'test',
    clock: now ? { now } : systemClock,
  });
