/** Selects the PIX gateway that a stage's settings name. */
import { inboundRoutes } from '../contracts/inbound.ts';
import type { Clock } from '../platform/clock.ts';
import { secretsManager } from '../platform/secrets.ts';
import type { Settings } from '../platform/settings.ts';
import { mercadoPagoGateway } from './mercado-pago/mercado-pago-gateway.ts';
import { noPixGateway } from './no-pix-gateway.ts';
import type { PixGateway } from './pix-gateway.ts';

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
