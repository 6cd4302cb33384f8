/** The hosted checkout and the page of a subscription in the sandbox, in a browser. */
import type { Browser, Page } from 'playwright-core';
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StripeFake, startStripeFake } from '../../fakes/stripe/stripe-fake.ts';
import { monthlyItem } from '../fakes/stripe/stripe-scene.ts';
import { type LocalServer, localServer } from '../support/local-server.ts';
import { inspect, type Screen, screens, startBrowser } from './browser.ts';
import { isCapable } from './target.ts';

const canBrowse = isCapable('browser');
const key = 'sk_test_pages';

let browser: Browser;
let sandbox: StripeFake;
let shop: LocalServer;
let stripe: Stripe;

beforeAll(async () => {
  if (!canBrowse) return;
  shop = await localServer((_request, response) => void response.end('The shop'));
  sandbox = await startStripeFake({ key, webhookSecret: 'whsec_pages', webhookUrl: `${shop.url}/events`, lateMs: 20 });
  const { hostname, port } = new URL(sandbox.url);
  stripe = new Stripe(key, { host: hostname, port, protocol: 'http' });
  const coupon = await stripe.coupons.create({ percent_off: 20, duration: 'once' });
  await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon: coupon.id }, code: 'WELCOME20' });
  browser = await startBrowser();
});
afterAll(async () => {
  if (!canBrowse) return;
  await browser.close();
  await Promise.all([sandbox.close(), shop.close()]);
});

async function openCheckout(screen: Screen): Promise<{ page: Page; id: string }> {
  const { id, url } = await stripe.checkout.sessions.create({
    mode: 'subscription',
    allow_promotion_codes: true,
    customer_email: 'ana.souza@example.com',
    success_url: `${shop.url}/thanks`,
    cancel_url: `${shop.url}/plans`,
    line_items: [monthlyItem],
  });
  const page = await browser.newPage({ viewport: screens[screen] });
  await page.goto(url ?? '');
  return { page, id };
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const statusOf = (page: Page) => page.locator('#status').textContent();
const invoices = (page: Page) => page.locator('.entries li').allInnerTexts();

/** Pays with the card that is chosen at first, and goes to the page of the subscription. */
async function subscribe(screen: Screen): Promise<Page> {
  const { page } = await openCheckout(screen);
  await press(page, 'Pay');
  await page.getByRole('link', { name: 'Manage the subscription' }).click();
  return page;
}

describe.runIf(canBrowse).for(Object.keys(screens) as Screen[])(
  'on the sandbox’s checkout page, on the screen of a %s,',
  (screen) => {
    test('a valid card pays the checkout, which then links to the shop', async () => {
      const { page, id } = await openCheckout(screen);
      await inspect(page, `checkout-open-${screen}`);
      await page.getByText('R$ 99,90').first().waitFor();
      await press(page, 'Pay');
      expect(await statusOf(page)).toBe('paid');
      await inspect(page, `checkout-paid-${screen}`);
      expect((await stripe.checkout.sessions.retrieve(id)).status).toBe('complete');
      await page.getByRole('link', { name: 'Back to the merchant' }).click();
      expect(page.url()).toBe(`${shop.url}/thanks`);
      await page.close();
    });

    test('a declined card leaves the checkout open and says so', async () => {
      const { page, id } = await openCheckout(screen);
      await page.getByLabel('Card without sufficient funds').check();
      await press(page, 'Pay');
      expect(await page.getByRole('alert').textContent()).toContain('insufficient funds');
      await inspect(page, `checkout-declined-${screen}`);
      expect((await stripe.checkout.sessions.retrieve(id)).status).toBe('open');
      await press(page, 'Pay');
      expect(await statusOf(page)).toBe('paid');
      await page.close();
    });

    test('a coupon lowers the price, and an unknown one does not', async () => {
      const { page } = await openCheckout(screen);
      await page.getByLabel('Coupon').fill('NOTHING');
      await press(page, 'Apply code');
      expect(await page.getByRole('alert').textContent()).toBe('This code is invalid.');
      await page.getByLabel('Coupon').fill('welcome20');
      await press(page, 'Apply code');
      await inspect(page, `checkout-coupon-${screen}`);
      await page.getByText('R$ 79,92').waitFor();
      await press(page, 'Pay');
      expect(await statusOf(page)).toBe('paid');
      await page.close();
    });

    test('leaving the checkout leads back to the shop, and the buyer can return', async () => {
      const { page, id } = await openCheckout(screen);
      const checkoutUrl = page.url();
      await press(page, 'Abandon');
      expect(page.url()).toBe(`${shop.url}/plans`);
      expect((await stripe.checkout.sessions.retrieve(id)).status).toBe('open');
      await page.goto(checkoutUrl);
      expect(await statusOf(page)).toBe('waiting for payment');
      await stripe.checkout.sessions.expire(id);
      await page.reload();
      await inspect(page, `checkout-expired-${screen}`);
      expect(await statusOf(page)).toBe('expired');
      await page.close();
    });

    test('a subscription is renewed, fails, is then paid and ends with its period', async () => {
      const page = await subscribe(screen);
      await press(page, 'Renew');
      expect(await invoices(page)).toHaveLength(2);
      await press(page, 'Fail renewal');
      expect(await statusOf(page)).toBe('past due');
      await inspect(page, `subscription-past-due-${screen}`);
      await press(page, 'Pay invoice');
      expect(await statusOf(page)).toBe('active');
      await press(page, 'Cancel at period end');
      expect(await statusOf(page)).toBe('active until the period’s end');
      await press(page, 'Renew');
      expect([await statusOf(page), await invoices(page)]).toEqual([
        'canceled',
        expect.objectContaining({ length: 3 }),
      ]);
      await inspect(page, `subscription-ended-${screen}`);
      await page.close();
    });

    test('a payment is partly refunded and disputed', async () => {
      const page = await subscribe(screen);
      await press(page, 'Refund part');
      expect((await invoices(page))[0]).toContain('R$ 1,00 refunded');
      await press(page, 'Dispute');
      await inspect(page, `subscription-disputed-${screen}`);
      await press(page, 'Lose dispute');
      expect((await invoices(page))[0]).toContain('lost');
      await page.close();
    });

    test('a subscription that is canceled immediately can still be refunded', async () => {
      const page = await subscribe(screen);
      await press(page, 'Cancel now');
      expect(await statusOf(page)).toBe('canceled');
      await press(page, 'Refund');
      expect((await invoices(page))[0]).toContain('refunded');
      await page.close();
    });

    test('events are sent as chosen, and the start page shows them', async () => {
      const { page } = await openCheckout(screen);
      await page.getByLabel('Send events').selectOption('twice');
      await press(page, 'Pay');
      const sent = await sandbox.sent();
      const completed = sent.filter(({ change }) => change.type === 'checkout.session.completed').slice(-2);
      expect([completed[0]?.change.id, completed[1]?.status]).toEqual([completed[1]?.change.id, 200]);
      await page.getByRole('link', { name: 'All subscriptions' }).click();
      await inspect(page, `subscriptions-start-${screen}`);
      await page.close();
    });
  },
);
