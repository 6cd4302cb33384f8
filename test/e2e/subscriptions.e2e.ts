/** Subscriptions, paid on the pages of the sandbox: credits and features follow the payments. */
import { beforeAll, describe, expect, test } from 'vitest';
import { runTool } from '../infra/cli/run-tool.ts';
import { eventually } from '../support/eventually.ts';
import { checkoutPage, type SubscriptionPage } from '../support/subscription-pages.ts';
import { type BackEnd, newBackEnd } from './back-end.ts';
import { isCapable, target } from './target.ts';

type Subscription = NonNullable<Awaited<ReturnType<BackEnd['api']['getSubscription']>>['data']['subscription']>;

const declinedCard = '4000000000000002';

const coupons = { coupons: [{ code: 'E2E-20', percentOff: 20, duration: 'once', planIds: ['pro'] }] };

async function offerCoupons(): Promise<void> {
  const { args, environment } = target.admin;
  const command = ['catalog', 'set', 'coupons', '--reason', 'offer a coupon', ...args];
  const { exitCode, stderr } = await runTool(command, environment, JSON.stringify(coupons));
  expect(stderr).toBe('');
  expect(exitCode).toBe(0);
}

describe.runIf(isCapable('payment-sandbox'))('a subscription', () => {
  let ana: BackEnd;
  let orderId: string;
  let checkoutUrl: string;
  let page: SubscriptionPage;

  const subscription = async () => (await ana.api.getSubscription()).data.subscription;

  /** Waits for the effect of an event. */
  const becomes = (what: string, isSo: (found: Subscription) => Promise<boolean> | boolean) =>
    eventually(
      what,
      async () => {
        const found = await subscription();
        return found && (await isSo(found)) ? found : undefined;
      },
      { everyMs: 1500 },
    );

  const mayCutClips = async (): Promise<boolean> => {
    const body = { videoUrl: 'http://127.0.0.1:9/none.mp4' };
    const { code } = (await ana.api.generateCortes.dryRun({ body }).catch((error: unknown) => error)) as {
      code: string;
    };
    return code !== 'FORBIDDEN';
  };

  const order = (couponCode?: string) =>
    ana.api.createSubscription({
      body: { planId: 'pro', billingCycle: 'monthly', ...(couponCode !== undefined && { couponCode }) },
    });

  beforeAll(async () => {
    [ana] = await Promise.all([newBackEnd(10), offerCoupons()]);
    // Functions notice a changed catalog within half a minute.
    const { data } = await eventually('the coupon', () => order('e2e-20').catch(() => undefined), { everyMs: 3000 });
    ({ orderId, checkoutUrl } = data);
    expect(data).toMatchObject({ status: 'pending', planId: 'pro', billingCycle: 'monthly' });
  });

  test('is pending and changes nothing until its checkout is paid', async () => {
    await expect(order('nothing')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await checkoutPage(checkoutUrl).pay(declinedCard)).toBeUndefined();
    expect(await subscription()).toMatchObject({ id: orderId, status: 'pending', currentPeriodStart: null });
    expect((await ana.api.getProfile()).data).toMatchObject({ plan: null, features: [] });
    expect([await ana.balance(), await mayCutClips()]).toEqual([10, false]);
  });

  test('grants its credits, plan and features when it is paid, and no second subscription can be ordered', async () => {
    const paid = await checkoutPage(checkoutUrl).pay('4242424242424242', 'twice');
    if (!paid) throw new Error('the card was declined');
    page = paid;
    expect(await becomes('the activation', ({ status }) => status === 'active')).toMatchObject({
      id: orderId,
      planId: 'pro',
      creditsPerMonth: 2000,
      currentPeriodEnd: expect.any(String),
    });
    expect((await ana.api.getProfile()).data).toMatchObject({ plan: { id: 'pro' }, features: ['cortes', 'studio'] });
    expect(await ana.ledger()).toEqual([
      [2000, 'subscription'],
      [10, 'bonus'],
    ]);
    const { data: bought } = await ana.api.getOrder({ params: { orderId } });
    expect(bought).toMatchObject({ type: 'subscription', status: 'paid', amount: 119.92, planId: 'pro', pix: null });
    expect(await mayCutClips()).toBe(true);
    const [, back = ''] = /href="([^"]+)">Back to the merchant/.exec(await checkoutPage(checkoutUrl).html()) ?? [];
    const shop = new URL(back.replaceAll('&amp;', '&'));
    expect([(await fetch(shop)).status, shop.searchParams.get('orderId')]).toEqual([200, orderId]);
    await expect(order()).rejects.toMatchObject({ code: 'SUBSCRIPTION_ALREADY_ACTIVE' });
  });

  test('that is canceled keeps its features until the end of the paid period, and another one can be ordered', async () => {
    await page.press('cancel-now');
    await becomes('the cancellation', ({ status }) => status === 'canceled');
    expect((await ana.api.getProfile()).data.features).toEqual(['cortes', 'studio']);
    expect(await ana.balance()).toBe(2010);
    await expect(order('e2e-20')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect((await order()).data).toMatchObject({ status: 'pending' });
  });

  test('whose last payment is refunded: the account loses the credits of that payment and the plan’s features', async () => {
    await page.press('refund');
    await eventually('the refund', async () => ((await ana.balance()) === 10 ? true : undefined), { everyMs: 1500 });
    expect((await ana.ledger())[0]).toEqual([-2000, 'refund']);
    expect((await ana.api.getProfile()).data).toMatchObject({ plan: null, features: [] });
  });
});
