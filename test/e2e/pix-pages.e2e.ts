/** The page of a PIX payment in the sandbox, in a browser. */
import jsqr from 'jsqr';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type MercadoPagoFake, startMercadoPagoFake } from '../../fakes/mercado-pago/mercado-pago-fake.ts';
import { type LocalServer, localServer } from '../support/local-server.ts';
import { inspect, type Screen, screens, startBrowser } from './browser.ts';
import { isCapable } from './target.ts';

const canBrowse = isCapable('browser');
const token = 'TEST-pages';

let browser: Browser;
let sandbox: MercadoPagoFake;
let shop: LocalServer;

beforeAll(async () => {
  if (!canBrowse) return;
  shop = await localServer((_request, response) => void response.end());
  sandbox = await startMercadoPagoFake({ token, webhookSecret: 'pages', lateMs: 20 });
  browser = await startBrowser();
});
afterAll(async () => {
  if (!canBrowse) return;
  await browser.close();
  await Promise.all([sandbox.close(), shop.close()]);
});

let charges = 0;

/** A charge of 500 credits: the page that a payer opens. */
async function openPayment(screen: Screen): Promise<Page> {
  charges += 1;
  const response = await fetch(`${sandbox.url}/v1/payments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'x-idempotency-key': `order-${charges}` },
    body: JSON.stringify({
      transaction_amount: 59.9,
      payment_method_id: 'pix',
      description: '500 credits',
      external_reference: `order-${charges}`,
      notification_url: shop.url,
      date_of_expiration: new Date(Date.now() + 3_600_000).toISOString().replace('Z', '+00:00'),
      payer: { email: 'ana@example.com' },
    }),
  });
  const { id } = (await response.json()) as { id: number };
  const page = await browser.newPage({ viewport: screens[screen] });
  await page.goto(`${sandbox.url}/payments/${id}`);
  return page;
}

/** Every button leads to a page, which must be there before anything else is done. */
async function press(page: Page, name: string): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name, exact: true }).click()]);
}
const statusOf = (page: Page) => page.locator('#status').textContent();

describe.runIf(canBrowse).for(Object.keys(screens) as Screen[])(
  'on the sandbox’s PIX page, on the screen of a %s,',
  (screen) => {
    test('the QR code contains the text that can be copied', async () => {
      const page = await openPayment(screen);
      await inspect(page, `pix-pending-${screen}`);
      const { data, info } = await sharp(await page.getByRole('img').screenshot())
        .ensureAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true });
      const code = await page.getByLabel('PIX code').inputValue();
      expect(code).toMatch(/^000201/);
      expect(jsqr.default(new Uint8ClampedArray(data), info.width, info.height)?.data).toBe(code);
      await page.close();
    });

    test('a payment can be paid, and paid again', async () => {
      const page = await openPayment(screen);
      await press(page, 'Pay');
      expect(await statusOf(page)).toContain('approved');
      await press(page, 'Pay');
      await inspect(page, `pix-paid-twice-${screen}`);
      await page.getByRole('link', { name: 'R$ 59,90' }).waitFor();
      expect(sandbox.payments().filter((one) => one.external_reference === `order-${charges}`)).toMatchObject([
        { status: 'approved' },
        { status: 'approved' },
      ]);
      await page.close();
    });

    test('a payment that expires is shown as expired', async () => {
      const page = await openPayment(screen);
      await press(page, 'Expire');
      expect(await statusOf(page)).toContain('expired');
      await inspect(page, `pix-expired-${screen}`);
      await page.close();
    });

    test('a payment can be refunded', async () => {
      const page = await openPayment(screen);
      await press(page, 'Pay');
      await press(page, 'Refund');
      expect(await statusOf(page)).toContain('refunded');
      await page.close();
    });

    test('events are sent as chosen, and the start page finds a payment by its code', async () => {
      const page = await openPayment(screen);
      await page.getByLabel('events').selectOption('twice');
      await press(page, 'Pay');
      await sandbox.sent();
      await page.reload();
      await inspect(page, `pix-events-${screen}`);
      const code = await page.getByLabel('PIX code').inputValue();
      const address = page.url();
      await page.goto(sandbox.url);
      await inspect(page, `pix-start-${screen}`);
      await page.getByLabel('PIX code of an order').fill(code);
      await press(page, 'Find payment');
      expect(page.url()).toBe(address);
      await page.close();
    });
  },
);
