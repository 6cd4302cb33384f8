/** Sends the service a payment event that is signed as by Mercado Pago. */
import { createHmac } from 'node:crypto';
import { inboundRoutes } from '../../shared/contracts/inbound.ts';
import { settingVariables } from '../../shared/platform/settings.ts';
import type { TestService } from './test-service.ts';

export async function sendPaymentEvent(
  { url: address, clock, service }: Pick<TestService, 'url' | 'clock' | 'service'>,
  {
    paymentId,
    eventId,
    type = 'payment',
  }: { readonly paymentId: number; readonly eventId: string; readonly type?: string },
): Promise<Response> {
  const ts = clock.now();
  const secret = service.environment[settingVariables.mercadoPagoWebhookSecret] ?? '';
  const v1 = createHmac('sha256', secret).update(`id:${paymentId};request-id:${eventId};ts:${ts};`).digest('hex');
  const headers = { 'x-signature': `ts=${ts},v1=${v1}`, 'x-request-id': eventId, 'content-type': 'application/json' };
  const url = `${address}${inboundRoutes.receivePaymentEvent.path}?data.id=${paymentId}&type=${type}`;
  return fetch(url, { method: 'POST', headers, body: '{}' });
}
