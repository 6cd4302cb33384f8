/** Selects the PIX gateway that a stage's settings name. */

import { inboundRoutes } from '../contracts/inbound.ts';
import type { PortSource } from '../platform/port-source.ts';
import { secretsManager } from '../platform/secrets.ts';
import { mercadoPagoGateway } from './mercado-pago/mercado-pago-gateway.ts';
import { noPixGateway } from './no-pix-gateway.ts';
import type { PixGateway } from './pix-gateway.ts';

export function pixGateway(source: PortSource): PixGateway {
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
