/** The payment gateways and social networks of this service. */
import { inboundRoutes } from '../contracts/inbound.ts';
import type { Clock } from '../platform/clock.ts';
import { secretsManager } from '../platform/secrets.ts';
import type { Settings } from '../platform/settings.ts';
import { mercadoPagoGateway } from './mercado-pago/mercado-pago-gateway.ts';
import { hostsOf } from './meta/meta-hosts.ts';
import { metaLogin } from './meta/meta-login.ts';
import { metaNetwork } from './meta/meta-network.ts';
import { metaAppOf } from './network-of.ts';
import { noPixGateway } from './no-pix-gateway.ts';
import { noSubscriptionGateway } from './no-subscription-gateway.ts';
import type { PixGateway } from './pix-gateway.ts';
import type { SocialLogin } from './social-login.ts';
import type { SocialNetwork } from './social-network.ts';
import { stripeGateway } from './stripe/stripe-gateway.ts';
import type { SubscriptionGateway } from './subscription-gateway.ts';

interface Source {
  readonly settings: Settings;
  readonly clock: Clock;
}

export function pixGateway(source: Source): PixGateway {
  const { settings, clock } = source;
  if (settings.pixGateway === 'none') return noPixGateway;
  const secrets = secretsManager(source);
  return mercadoPagoGateway({
    url: settings.mercadoPagoUrl,
    token: () => secrets.read(settings.mercadoPagoToken),
    webhookSecret: () => secrets.read(settings.mercadoPagoWebhookSecret),
    notificationUrl: () => `${settings.apiUrl}${inboundRoutes.receivePaymentEvent.path}`,
    stageName: () => settings.stageName,
    clock,
  });
}

const returnUrlOf = ({ dashboardUrl, stripeReturnUrl }: Settings): string =>
  stripeReturnUrl === 'dashboard' ? `${dashboardUrl}/account/billing` : stripeReturnUrl;

export function subscriptionGateway(source: Source): SubscriptionGateway {
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

/** Several of an app while one is being replaced, the current one first. */
const secretsIn = (list: string): string[] => list.split(',').filter((secret) => secret !== 'none' && secret !== '');

export function socialNetwork(source: Source): SocialNetwork {
  const { settings, clock } = source;
  const secrets = secretsManager(source);
  return metaNetwork({
    url: (page) => hostsOf(page, settings.metaSandboxUrl).graph,
    version: () => settings.metaVersion,
    async appSecrets() {
      const { metaInstagramSecrets, metaFacebookSecrets } = settings;
      const lists = await Promise.all([metaInstagramSecrets, metaFacebookSecrets].map((one) => secrets.read(one)));
      return lists.flatMap(secretsIn);
    },
    async facebookApp() {
      const [secret] = secretsIn(await secrets.read(settings.metaFacebookSecrets));
      const id = settings.metaFacebookApp;
      return secret === undefined || id === 'none' ? undefined : { id, secret };
    },
    clock,
  });
}

export function socialLogin(source: Source): SocialLogin {
  const { settings, clock } = source;
  const secrets = secretsManager(source);
  return metaLogin({
    sandboxUrl: () => settings.metaSandboxUrl,
    version: () => settings.metaVersion,
    appId: (channel) => metaAppOf(channel, settings),
    async appSecret(channel) {
      const list = settings[channel === 'instagram' ? 'metaInstagramSecrets' : 'metaFacebookSecrets'];
      const [secret] = secretsIn(await secrets.read(list));
      if (secret === undefined) throw new Error(`the app for ${channel} has no secret`);
      return secret;
    },
    clock,
  });
}
