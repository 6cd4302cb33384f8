/** The sandbox for payments by PIX remembers its payments, as the service remembers their orders. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  type MercadoPagoFake,
  startMercadoPagoFake,
} from '../../../../../infra/local/sandboxes/mercado-pago/mercado-pago-fake.ts';
import { mercadoPagoGateway } from '../../../../../shared/gateways/mercado-pago/mercado-pago-gateway.ts';
import { systemClock } from '../../../../../shared/platform/clock.ts';
import { testIds } from '../../../../support/test-table.ts';

const token = 'TEST-the-token';

const gatewayOf = ({ url }: MercadoPagoFake) =>
  mercadoPagoGateway({
    url,
    stageName: () => 'test',
    token: async () => token,
    webhookSecret: async () => 'the-webhook-secret',
    notificationUrl: () => url,
    clock: systemClock,
  });

test('a restarted sandbox has its payments and keys at the same address, and new payments get other ids', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pix-sandbox-'));
  const path = join(folder, 'private', 'mercado-pago.jsonl');
  const start = () => startMercadoPagoFake({ token, webhookSecret: 'the-webhook-secret', path, lateMs: 1 });
  const request = {
    orderId: testIds.next(),
    cents: 1490,
    description: '100 credits',
    payer: { name: 'Ana Souza', email: 'ana@example.com' },
    expiresAt: systemClock.now() + 35 * 60_000,
  };
  const before = await start();
  before.events = 'lost';
  const made = await gatewayOf(before).createCharge(request);
  const { id = 0 } = before.payments()[0] ?? {};
  before.do(id, 'pay');
  before.do(id, 'pay');
  await before.close();

  const after = await start();
  expect(after.url).toBe(before.url);
  expect(after.payments()).toEqual(before.payments());
  expect(await gatewayOf(after).createCharge(request)).toMatchObject({
    payment: { paymentId: String(id), status: 'paid' },
    qrCode: 'qrCode' in made && made.qrCode,
  });
  await gatewayOf(after).createCharge({ ...request, orderId: testIds.next() });
  expect(new Set(after.payments().map((payment) => payment.id)).size).toBe(3);
  expect(statSync(path).mode & 0o077).toBe(0);
  await after.close();
  rmSync(folder, { recursive: true });
});
