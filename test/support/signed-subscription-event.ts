/** Sends the service a checkout event that is signed as by Stripe. */
import { createHmac } from 'node:crypto';
import { inboundRoutes } from '../../shared/contracts/inbound.ts';
import { referenceOf } from '../../shared/gateways/order-reference.ts';
import { settingVariables } from '../../shared/platform/settings.ts';
import type { TestService } from './test-service.ts';

export interface SignedEvent {
  readonly body: string;
  readonly signature: string;
}

type Host = Pick<TestService, 'url' | 'clock' | 'service'>;

export const eventSecretOf = ({ service }: Pick<Host, 'service'>): string =>
  service.environment[settingVariables.stripeWebhookSecret] ?? '';

export const signatureOf = (body: string, t: number | string, secret: string): string =>
  createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');

interface CheckoutEvent {
  readonly eventId: string;
  readonly orderId: string;
  readonly checkoutId: string;
}

export const checkoutEvent = ({ eventId, orderId, checkoutId }: CheckoutEvent): string => {
  const object = { object: 'checkout.session', id: checkoutId, client_reference_id: referenceOf(orderId, 'local') };
  const event = { id: eventId, object: 'event', livemode: false, type: 'checkout.session.completed', data: { object } };
  return JSON.stringify(event, null, 2);
};

export function signEvent(host: Host, body: string): SignedEvent {
  const t = Math.floor(host.clock.now() / 1000);
  return { body, signature: `t=${t},v1=${signatureOf(body, t, eventSecretOf(host))}` };
}

export const sendEvent = ({ url }: Host, { body, signature }: SignedEvent): Promise<Response> =>
  fetch(`${url}${inboundRoutes.receiveSubscriptionEvent.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    body,
  });
