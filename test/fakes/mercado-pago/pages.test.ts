/** The pages of the sandbox for payments: what a payer finds, and which events a receiver can believe. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MercadoPagoFake, startMercadoPagoFake } from '../../../fakes/mercado-pago/mercado-pago-fake.ts';
import { mercadoPagoGateway } from '../../../shared/gateways/mercado-pago/mercado-pago-gateway.ts';
import type { PixCharge } from '../../../shared/gateways/pix-gateway.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { type LocalServer, localServer } from '../../support/local-server.ts';
import { openPixPage } from '../../support/pix-page.ts';
import { testIds } from '../../support/test-table.ts';

const token = 'TEST-the-token';
const webhookSecret = 'the-webhook-secret';

let fake: MercadoPagoFake;
let service: LocalServer;

const gateway = () =>
  mercadoPagoGateway({
    url: fake.url,
    stageName: () => 'test',
    token: async () => token,
    webhookSecret: async () => webhookSecret,
    notificationUrl: () => service.url,
    clock: systemClock,
  });

beforeAll(async () => {
  fake = await startMercadoPagoFake({ token, webhookSecret });
  // Like the service, it accepts what the gateway has signed.
  service = await localServer(async (request, response) => {
    const query = Object.fromEntries(new URL(request.url ?? '', 'http://service').searchParams);
    const headers = request.headers as Record<string, string>;
    const event = await gateway().readEvent({ headers, query, body: '' });
    response.writeHead(event ? 200 : 401).end();
  });
});
afterAll(() => Promise.all([fake.close(), service.close()]));

async function charged(): Promise<PixCharge> {
  const made = await gateway().createCharge({
    orderId: testIds.next(),
    cents: 1490,
    description: '100 <credits>',
    payer: { name: 'Ana Souza', email: 'ana@example.com' },
    expiresAt: systemClock.now() + 35 * 60_000,
  });
  if ('refusal' in made) throw new Error(made.refusal);
  await fake.sent();
  return made;
}

test('in the Mercado Pago sandbox, an order’s code finds its payment, which the start page lists, and an unknown code none', async () => {
  const { qrCode, payment } = await charged();
  const page = await openPixPage(fake.url, ` ${qrCode}\n`);
  expect(page.url).toBe(`${fake.url}/payments/${payment.paymentId}`);
  const html = await page.html();
  for (const shown of ['100 &lt;credits&gt;', 'R$ 14,90', qrCode, 'payment.created', 'response 200']) {
    expect(html).toContain(shown);
  }
  await expect(openPixPage(fake.url, `${qrCode}0`)).rejects.toThrow('no payment with this code');
  expect(await (await fetch(fake.url)).text()).toContain(`<a href="/payments/${payment.paymentId}">`);
  expect((await fetch(`${page.url}0`)).status).toBe(404);
});

test.each([
  ['at once', [200]],
  ['twice', [200, 200]],
  ['stale', [401]],
  ['forged', [401]],
  ['lost', []],
] as const)('in the Mercado Pago sandbox, an event sent %s gets the responses %j', async (outcome, expected) => {
  const { qrCode } = await charged();
  const page = await openPixPage(fake.url, qrCode);
  await page.press('pay', outcome);
  await fake.sent();
  const [created, ...events] = await page.events();
  expect(created).toMatchObject({ action: 'payment.created', status: 200 });
  expect(events.map(({ status }) => status)).toEqual(expected);
});

test('a program can pay by an order’s code in the Mercado Pago sandbox, and is told the available buttons', async () => {
  const { qrCode, payment } = await charged();
  const post = (form: Record<string, string>) =>
    fetch(`${fake.url}/pay`, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
  const unknown = await post({ code: qrCode, action: 'buy' });
  expect([unknown.status, await unknown.text()]).toEqual([
    400,
    'action must be one of pay, pay-wrong-amount, expire, refund, refund-part, dispute, charge-back, win, notify; it is "buy".\n',
  ]);
  expect((await post({ code: qrCode, action: 'pay', events: 'soon' })).status).toBe(400);
  expect((await post({ code: `${qrCode}0`, action: 'pay' })).status).toBe(404);
  expect((await gateway().read(payment.paymentId))?.status).toBe('pending');
  expect((await post({ code: qrCode, action: 'pay' })).headers.get('location')).toBe(`/payments/${payment.paymentId}`);
  expect((await gateway().read(payment.paymentId))?.status).toBe('paid');
  // Of a code that was paid twice, the latest payment is returned, once.
  await post({ code: qrCode, action: 'pay' });
  expect((await post({ code: qrCode, action: 'refund' })).status).toBe(303);
  expect((await gateway().read(payment.paymentId))?.status).toBe('paid');
  const again = await post({ code: qrCode, action: 'refund' });
  expect([again.status, await again.text()]).toEqual([409, '"refund" is not possible: the payment is refunded.\n']);
});

test('in the Mercado Pago sandbox, an expired code can be paid late, and a paid one again', async () => {
  const { qrCode } = await charged();
  const page = await openPixPage(fake.url, qrCode);
  await page.press('expire');
  await page.press('pay');
  const [first] = fake.payments().filter((one) => one.point_of_interaction.transaction_data.qr_code === qrCode);
  expect(first?.status).toBe('cancelled');
  const { qrCode: other } = await charged();
  const paid = await openPixPage(fake.url, other);
  await paid.press('pay');
  await paid.press('pay');
  expect(await paid.html()).toContain('<a href="/payments/');
});

test('the event button of the Mercado Pago sandbox sends one even if nothing has changed', async () => {
  const { qrCode } = await charged();
  const page = await openPixPage(fake.url, qrCode);
  await page.press('notify');
  await fake.sent();
  expect((await page.events()).map(({ action }) => action)).toEqual(['payment.created', 'payment.updated']);
});
