/** The sandbox for subscriptions, Stripe's own client for it, and a receiver of its events. */

import { text } from 'node:stream/consumers';
import Stripe from 'stripe';
import { startStripeFake } from '../../../fakes/stripe/stripe-fake.ts';
import { idOf } from '../../../fakes/stripe/stripe-objects.ts';
import { localServer } from '../../support/local-server.ts';

const key = 'sk_test_the_key';
const webhookSecret = 'whsec_the_secret';
/** R$ 99.90 per month. */
export const monthlyItem: Stripe.Checkout.SessionCreateParams.LineItem = {
  quantity: 1,
  price_data: {
    currency: 'brl',
    unit_amount: 9990,
    recurring: { interval: 'month' },
    product_data: { name: 'Creator' },
  },
};

export const start = Date.UTC(2026, 0, 31, 12);

export const clientOf = (url: string, apiKey = key): Stripe => {
  const { hostname, port } = new URL(url);
  return new Stripe(apiKey, { host: hostname, port, protocol: 'http', maxNetworkRetries: 0, telemetry: false });
};

export async function stripeScene(options: { path?: string } = {}) {
  const received: Stripe.Event[] = [];
  const refused: string[] = [];
  const clock = { now: start };
  const receiver = await localServer(async (request, response) => {
    const body = await text(request);
    try {
      const header = String(request.headers['stripe-signature']);
      received.push(Stripe.webhooks.constructEvent(body, header, webhookSecret, 300, undefined, clock.now));
      response.end();
    } catch (error) {
      refused.push((error as Error).message);
      response.writeHead(400).end();
    }
  });
  const fake = await startStripeFake({
    key,
    webhookSecret,
    webhookUrl: receiver.url,
    now: () => clock.now,
    lateMs: 20,
    ...options,
  });
  const stripe = clientOf(fake.url);
  return {
    fake,
    stripe,
    received,
    refused,
    clock,
    checkout: (given: Partial<Stripe.Checkout.SessionCreateParams> = {}, requestOptions?: Stripe.RequestOptions) =>
      stripe.checkout.sessions.create(
        {
          mode: 'subscription',
          line_items: [monthlyItem],
          success_url: 'https://shop.example/thanks?session={CHECKOUT_SESSION_ID}',
          cancel_url: 'https://shop.example/plans',
          customer_email: 'ana@example.com',
          client_reference_id: 'order-1',
          metadata: { order: 'order-1' },
          subscription_data: { metadata: { order: 'order-1' } },
          ...given,
        },
        requestOptions,
      ),
    /** As after its start, but for what was paid. */
    async reset(): Promise<void> {
      clock.now = start;
      fake.events = 'at once';
      fake.outcomes.length = 0;
      await fake.sent();
      received.length = 0;
      refused.length = 0;
    },
    async close() {
      await Promise.all([fake.close(), receiver.close()]);
    },
  };
}

export type StripeScene = Awaited<ReturnType<typeof stripeScene>>;

/** Pays a checkout, and returns the id of the subscription. */
export async function subscribed(
  scene: StripeScene,
  given: Partial<Stripe.Checkout.SessionCreateParams> = {},
  card?: string,
): Promise<string> {
  const { id } = await scene.checkout(given);
  const paid = scene.fake.pay(id, card);
  if ('declineCode' in paid) throw new Error(paid.declineCode);
  await scene.fake.sent();
  return idOf(paid.subscription);
}

/** What a request was rejected with. */
export const failure = async (request: Promise<unknown>) =>
  request.then(
    () => undefined,
    (error: Stripe.errors.StripeError) => error,
  );

export const typesOf = (events: readonly { type: string }[]) => events.map(({ type }) => type).toSorted();
