import type { PixGateway } from '../../gateways/pix-gateway.ts';
import type { SubscriptionGateway } from '../../gateways/subscription-gateway.ts';
import type { Order } from '../billing/orders/order.ts';

interface Gateways {
  readonly pixGateway: PixGateway;
  readonly subscriptionGateway: SubscriptionGateway;
}

async function read({ pixGateway, subscriptionGateway }: Gateways, order: Order): Promise<string> {
  const { gateway } = order;
  if (order.type === 'subscription') {
    if (gateway !== subscriptionGateway.name) return 'unknown';
    return (await subscriptionGateway.read(order.checkoutId))?.checkout ?? 'unknown';
  }
  const payment = gateway === pixGateway.name ? await pixGateway.read(order.chargeId) : undefined;
  return payment ? `${payment.status}, ${payment.currency} ${(payment.cents / 100).toFixed(2)}` : 'unknown';
}

/**
 * What the gateway of an order says of its payment now, such as `paid, BRL 14.90`; of a subscription, the state of its
 * checkout; `unreadable` if the gateway does not answer.
 */
export const paymentAtGateway = (gateways: Gateways, order: Order): Promise<string> =>
  read(gateways, order).catch(() => 'unreadable');
