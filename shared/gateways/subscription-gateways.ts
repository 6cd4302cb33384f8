/** Selects the subscription gateway that a stage's settings name. */
import type { PortSource } from '../platform/port-source.ts';
import { secretsManager } from '../platform/secrets.ts';
import type { Settings } from '../platform/settings.ts';
import { noSubscriptionGateway } from './no-subscription-gateway.ts';
import { stripeGateway } from './stripe/stripe-gateway.ts';
import type { SubscriptionGateway } from './subscription-gateway.ts';

const returnUrlOf = ({ dashboardUrl, stripeReturnUrl }: Settings): string =>
  stripeReturnUrl === 'dashboard' ? `${dashboardUrl}/account/billing` : stripeReturnUrl;

export function subscriptionGateway(source: PortSource): SubscriptionGateway {
  const { settings, clock } = source;
  if (settings.subscriptionGateway === 'none') return noSubscriptionGateway;
  const secrets = secretsManager(source);
  return stripeGateway({
    url: settings.stripeUrl,
    key: () => secrets.read(settings.stripeKey),
    webhookSecret: () => secrets.read(settings.stripeWebhookSecret),
    returnUrl: () => returnUrlOf(settings),
    stageName: () => settings.stageName,
    clock,
  });
}
