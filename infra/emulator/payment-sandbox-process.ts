/** Runs the payment sandboxes of an emulated stage, in one process. */

import { apiVersion } from '../../fakes/stripe/stripe-world.ts';
import { inboundRoutes } from '../../shared/contracts/inbound.ts';
import { acceptsKey, startInBackground } from './background-process.ts';
import type { EmulatedStage } from './emulated-stage.ts';
import { localSecret } from './local-secrets.ts';

export const paymentVariables = {
  mercadoPagoToken: 'MERCADO_PAGO_TOKEN',
  mercadoPagoWebhookSecret: 'MERCADO_PAGO_WEBHOOK_SECRET',
  stripeKey: 'STRIPE_KEY',
  stripeWebhookSecret: 'STRIPE_WEBHOOK_SECRET',
  stripeEventsUrl: 'STRIPE_EVENTS_URL',
} as const;

/** The stage's secrets that authenticate the sandboxes and the service to each other. */
export const paymentSecretNames = ({ mercadoPago, stripe }: EmulatedStage): readonly string[] => [
  ...(mercadoPago ? [mercadoPago.tokenSecretName, mercadoPago.webhookSecretName] : []),
  ...(stripe ? [stripe.keySecretName, stripe.webhookSecretName] : []),
];

/** Does nothing if the stage has no sandboxes. @throws {Error} if the process does not start */
export async function startPaymentSandboxProcess(
  { mercadoPago, stripe }: EmulatedStage,
  apiUrl: string,
): Promise<void> {
  if (!mercadoPago?.url || !stripe?.url) return;
  const mercadoPagoToken = await localSecret(mercadoPago.tokenSecretName);
  const stripeKey = await localSecret(stripe.keySecretName, 'sk_test_');
  const environment = {
    [paymentVariables.mercadoPagoToken]: mercadoPagoToken,
    [paymentVariables.mercadoPagoWebhookSecret]: await localSecret(mercadoPago.webhookSecretName),
    [paymentVariables.stripeKey]: stripeKey,
    [paymentVariables.stripeWebhookSecret]: await localSecret(stripe.webhookSecretName),
    [paymentVariables.stripeEventsUrl]: `${apiUrl}${inboundRoutes.receiveSubscriptionEvent.path}`,
  };
  const probes = [
    { url: `${mercadoPago.url}/v1/payments/0`, key: mercadoPagoToken },
    { url: `${stripe.url}/v1/subscriptions/none`, key: stripeKey, headers: { 'Stripe-Version': apiVersion } },
  ];
  await startInBackground({
    name: 'payment-sandbox',
    program: new URL('payments/main.ts', import.meta.url),
    environment,
    isReady: async () => (await Promise.all(probes.map(acceptsKey))).every(Boolean),
  });
}
