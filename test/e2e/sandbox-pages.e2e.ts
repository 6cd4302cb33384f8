/**
 * The pages of the providers' sandboxes, in a browser: each fits the screen, names its controls, and sends its form.
 */
import jsqr from 'jsqr';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startMercadoPagoFake } from '../../fakes/mercado-pago/mercado-pago-fake.ts';
import { startStripeFake } from '../../fakes/stripe/stripe-fake.ts';
import { connectedShop, networkOn, startSandbox } from '../gateways/meta/meta-scene.ts';
import { localServer } from '../support/local-server.ts';
import { testIds } from '../support/test-table.ts';
import { inspect, type Screen, screens, startBrowser } from './browser.ts';
import { isCapable } from './target.ts';

const canBrowse = isCapable('browser');
const key = 'sk_test_pages';

let browser: Browser;
let started: Awaited<ReturnType<typeof startAll>>;

async function startAll() {
  const shop = await localServer((_request, response) => void response.end('The shop'));
  const [pix, checkout, social] = await Promise.all([
    startMercadoPagoFake({ token: key, webhookSecret: 'pages', lateMs: 20 }),
    startStripeFake({ key, webhookSecret: 'whsec_pages', webhookUrl: `${shop.url}/events`, lateMs: 20 }),
    startSandbox({ eventsUrl: shop.url }),
  ]);
  return { shop, pix, checkout, social };
}

beforeAll(async () => {
  if (!canBrowse) return;
  started = await startAll();
  browser = await startBrowser();
});
afterAll(async () => {
  if (!canBrowse) return;
  await browser.close();
  await Promise.all(Object.values(started).map((one) => one.close()));
});

async function open(screen: Screen, url: string): Promise<Page> {
  const page = await browser.newPage({ viewport: screens[screen] });
  await page.goto(url);
  return page;
}

/** Every button leads to a page, which must have loaded before the next action. */
async function press(page: Page, name: string): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name, exact: true }).click()]);
}

describe.runIf(canBrowse).for(Object.keys(screens) as Screen[])('in the sandbox, on a %s,', (screen) => {
  test('a PIX payment shows its code as text and as an image, can be found by the code, and can be paid', async () => {
    const { pix, shop } = started;
    const response = await fetch(`${pix.url}/v1/payments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'x-idempotency-key': screen },
      body: JSON.stringify({
        transaction_amount: 59.9,
        payment_method_id: 'pix',
        description: '500 credits',
        external_reference: screen,
        notification_url: shop.url,
        date_of_expiration: new Date(Date.now() + 3_600_000).toISOString().replace('Z', '+00:00'),
        payer: { email: 'ana@example.com' },
      }),
    });
    const { id } = (await response.json()) as { id: number };
    const page = await open(screen, `${pix.url}/payments/${id}`);
    const code = await page.getByLabel('PIX code').inputValue();
    const image = sharp(await page.getByRole('img').screenshot()).ensureAlpha();
    const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
    expect(jsqr.default(new Uint8ClampedArray(data), info.width, info.height)?.data).toBe(code);
    await inspect(page, `pix-pending-${screen}`);
    await page.goto(pix.url);
    await inspect(page, `pix-start-${screen}`);
    await page.getByLabel('PIX code of an order').fill(code);
    await press(page, 'Find payment');
    await press(page, 'Pay');
    expect(await page.locator('#status').textContent()).toContain('approved');
    await page.close();
  });

  test('a checkout can be paid by card, and leads to its subscription and back to the shop', async () => {
    const { checkout, shop } = started;
    const { hostname, port } = new URL(checkout.url);
    const { url } = await new Stripe(key, { host: hostname, port, protocol: 'http' }).checkout.sessions.create({
      mode: 'subscription',
      customer_email: 'ana.souza@example.com',
      success_url: `${shop.url}/thanks`,
      cancel_url: `${shop.url}/plans`,
      line_items: [
        {
          quantity: 1,
          price_data: {
            currency: 'brl',
            unit_amount: 9990,
            recurring: { interval: 'month' },
            product_data: { name: 'Creator' },
          },
        },
      ],
    });
    const page = await open(screen, url ?? '');
    await inspect(page, `checkout-open-${screen}`);
    await page.getByLabel('Card without sufficient funds').check();
    await press(page, 'Pay');
    expect(await page.getByRole('alert').textContent()).toContain('insufficient funds');
    await press(page, 'Pay');
    await inspect(page, `checkout-paid-${screen}`);
    await page.getByRole('link', { name: 'Manage the subscription' }).click();
    await press(page, 'Fail renewal');
    expect(await page.locator('#status').textContent()).toBe('past due');
    await inspect(page, `subscription-past-due-${screen}`);
    await page.goto(url ?? '');
    await page.getByRole('link', { name: 'Back to the merchant' }).click();
    expect(page.url()).toBe(`${shop.url}/thanks`);
    await page.close();
  });

  test('a person can write to a page, see its reply arrive, and comment on its post', async () => {
    const { social } = started;
    const { access, page: shop, person, postId } = connectedShop(social, 'facebook', testIds.next());
    const page = await open(screen, `${social.url}/people/${person.id}`);
    await page.getByLabel('Message as').fill('Vocês abrem amanhã?');
    await press(page, 'Write');
    await networkOn(social.url).sendText(access, person.id, 'Abrimos sim, das 9h às 18h!');
    await page.getByText('Abrimos sim, das 9h às 18h!').waitFor();
    await inspect(page, `social-chat-${screen}`);
    await page.goto(`${social.url}/posts/${postId}`);
    await page.getByLabel('Comment as').selectOption({ label: person.name });
    await page.getByLabel('Comment', { exact: true }).fill('Tem em verde?');
    await press(page, 'Comment');
    await page.getByText('Tem em verde?', { exact: true }).waitFor();
    for (const path of [`posts/${postId}`, `pages/${shop.id}`, '']) {
      await page.goto(`${social.url}/${path}`);
      await inspect(page, `social-${path.split('/')[0]}-${screen}`);
    }
    await page.close();
  });
});
