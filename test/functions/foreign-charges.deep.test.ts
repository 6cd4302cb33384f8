/** Charges in the same seller account that do not belong to this stage. */
import { expect, test } from 'vitest';
import { mercadoPagoGateway } from '../../shared/gateways/mercado-pago/mercado-pago-gateway.ts';
import { referenceOf } from '../../shared/gateways/order-reference.ts';
import { settingVariables } from '../../shared/platform/settings.ts';
import { serviceInTests } from '../support/test-service.ts';
import { testIds } from '../support/test-table.ts';

const host = await serviceInTests();

test('a charge that another deployment of the service created is never canceled and never opens a billing case', async () => {
  const { payments: gateway } = host.service;
  const setting = async (name: 'mercadoPagoToken' | 'mercadoPagoWebhookSecret') =>
    host.service.environment[settingVariables[name]] ?? '';
  const other = mercadoPagoGateway({
    url: gateway.url,
    stageName: () => 'another',
    token: () => setting('mercadoPagoToken'),
    webhookSecret: () => setting('mercadoPagoWebhookSecret'),
    notificationUrl: () => `${host.url}/inbound/payments/mercado-pago`,
    clock: host.clock,
  });
  const expiresAt = host.clock.now() + 65 * 60_000;
  const payer = { name: 'Ana', email: 'ana@example.com' };
  const charge = {
    orderId: testIds.next(),
    cents: 1490,
    description: '100 credits',
    payer,
    expiresAt,
  };
  await other.createCharge(charge);
  const foreign = gateway.payments().at(-1);
  expect(foreign?.external_reference).toBe(referenceOf(charge.orderId, 'another'));
  host.clock.advance(40 * 60_000);
  await host.service.invoke('reconcileOrders', {});
  const seen = () => gateway.payments().filter((one) => one.external_reference === foreign?.external_reference);
  expect(seen()).toMatchObject([{ status: 'pending' }]);
  gateway.do(foreign?.id ?? 0, 'pay');
  await gateway.sent();
  await host.service.invoke('reconcileOrders', {});
  const ids = new Set(seen().map(({ id }) => String(id)));
  const open = await host.service.context.cases.list({ onlyOpen: true });
  expect(open.filter(({ paymentId }) => ids.has(paymentId))).toEqual([]);
});
