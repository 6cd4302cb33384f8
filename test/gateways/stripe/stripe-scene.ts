/** A sandbox of Stripe that contains subscriptions of orders. */
import Stripe from 'stripe';
import { type StripeFake, startStripeFake } from '../../../fakes/stripe/stripe-fake.ts';
import type { PaymentNotification } from '../../../shared/gateways/pix-gateway.ts';
import type { Checkout, CheckoutRequest, SubscriptionGateway } from '../../../shared/gateways/subscription-gateway.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { localServer } from '../../support/local-server.ts';
import { testIds } from '../../support/test-table.ts';
import { gatewayWith, stripeKey, type TestAccess, webhookSecret } from './stripe-access.ts';

export interface StripeScene {
  readonly fake: StripeFake;
  /** Stripe's own client. */
  readonly client: Stripe;
  /** The events that the sandbox has sent. */
  readonly notifications: PaymentNotification[];
  readonly gateway: (access?: TestAccess) => SubscriptionGateway;
  readonly made: (given?: Partial<CheckoutRequest>) => Promise<Checkout>;
  /** A paid checkout and its subscription. */
  readonly subscribed: (given?: Partial<CheckoutRequest>) => Promise<Checkout & { readonly subscriptionId: string }>;
  readonly close: () => Promise<unknown>;
}

export const checkoutRequest = (given: Partial<CheckoutRequest> = {}): CheckoutRequest => ({
  orderId: testIds.next(),
  planId: 'pro',
  planName: 'Pro',
  billingCycle: 'monthly',
  cents: 2990,
  email: 'ana@example.com',
  expiresAt: systemClock.now() + 12 * 3_600_000,
  ...given,
});

export async function stripeScene(): Promise<StripeScene> {
  const notifications: PaymentNotification[] = [];
  const receiver = await localServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request)).toString();
    notifications.push({ headers: request.headers as Record<string, string>, query: {}, body });
    response.end();
  });
  const fake = await startStripeFake({ key: stripeKey, webhookSecret, webhookUrl: receiver.url });
  const { hostname: host, port } = new URL(fake.url);
  const gateway = (access: TestAccess = {}) => gatewayWith({ url: fake.url, ...access });
  const made = async (given?: Partial<CheckoutRequest>) => {
    const checkout = await gateway().createCheckout(checkoutRequest(given));
    if (!('checkoutId' in checkout)) throw new Error(`no checkout: ${JSON.stringify(checkout)}`);
    return checkout;
  };
  return {
    fake,
    client: new Stripe(stripeKey, { host, port: Number(port), protocol: 'http' }),
    notifications,
    gateway,
    made,
    async subscribed(given) {
      const checkout = await made(given);
      fake.pay(checkout.checkoutId);
      const report = await gateway().read(checkout.checkoutId);
      return { ...checkout, subscriptionId: report?.subscription?.subscriptionId ?? '' };
    },
    close: () => Promise.all([fake.close(), receiver.close()]),
  };
}
