/** The sandbox for payments by PIX remembers its payments, as the service remembers their orders. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MercadoPagoFake, startMercadoPagoFake } from '../../../fakes/mercado-pago/mercado-pago-fake.ts';
import { mercadoPagoGateway } from '../../../shared/gateways/mercado-pago/mercado-pago-gateway.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { eventually } from '../../support/eventually.ts';
import { type LocalServer, localServer } from '../../support/local-server.ts';
import { testIds } from '../../support/test-table.ts';

const token = 'TEST-the-token';

const gatewayOf = ({ url }: MercadoPagoFake) =>
  mercadoPagoGateway({
    url,
    stageName: () => 'test',
    token: async () => token,
    webhookSecret: async () => 'the-webhook-secret',
    notificationUrl: () => shop.url,
    clock: systemClock,
  });

let shop: LocalServer;

beforeAll(async () => {
  shop = await localServer((_request, response) => void response.end());
});
afterAll(() => shop.close());

test('a restarted Mercado Pago sandbox has its payments, events and keys at the same address, and new payments get other ids', async () => {
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
  const made = await gatewayOf(before).createCharge(request);
  const { id = 0 } = before.payments()[0] ?? {};
  before.do(id, 'pay');
  const events = await before.sent();
  before.events = 'lost';
  before.do(id, 'pay');
  expect(events).toMatchObject([{ action: 'payment.created' }, { action: 'payment.updated' }]);
  await before.close();

  const after = await start();
  expect(after.url).toBe(before.url);
  expect(after.payments()).toEqual(before.payments());
  expect(await after.sent()).toEqual(events);
  // The first request may find a connection that the earlier sandbox has just closed.
  const again = await eventually('the charge', () =>
    gatewayOf(after)
      .createCharge(request)
      .catch(() => undefined),
  );
  expect(again).toMatchObject({
    payment: { paymentId: String(id), status: 'paid' },
    qrCode: 'qrCode' in made && made.qrCode,
  });
  await gatewayOf(after).createCharge({ ...request, orderId: testIds.next() });
  expect(new Set(after.payments().map((payment) => payment.id)).size).toBe(3);
  expect(statSync(path).mode & 0o077).toBe(0);
  await after.close();
  rmSync(folder, { recursive: true });
});
