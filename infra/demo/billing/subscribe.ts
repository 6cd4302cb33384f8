/** Subscribes with a coupon, simulates the subscriber, the bank and the passing of time, and checks the results. */
import { ApiError } from '../../../client/client.ts';
import type { CouponEntry } from '../../../shared/catalog/coupons.ts';
import { unless } from '../checks.ts';
import type { Demo } from '../demo.ts';
import { seen } from './seen.ts';
import { checkoutPage, type SubscriptionPage } from './subscription-pages.ts';

export const coupon: CouponEntry = { code: 'DEMO-20', percentOff: 20, duration: 'once', planIds: ['pro'] };

const wanted = { planId: 'pro', billingCycle: 'monthly', couponCode: 'demo-20' } as const;

const declinedCard = '4000000000000002';

/** The actions on the pages, in order, and their expected results. */
const acts = [
  { press: 'renew', status: 'active', periods: 2 },
  { press: 'fail-renewal', status: 'past_due', periods: 2 },
  { press: 'pay-invoice', status: 'active', periods: 3 },
  { press: 'cancel-now', status: 'canceled', periods: 3 },
] as const;

const monthlyCredits = 2000;

/** The expected ledger rows: one for each paid period. */
export const subscriptionRows = Array.from({ length: 3 }, () => [monthlyCredits, 'subscription'] as const);

export interface Ordered {
  readonly orderId: string;
  readonly checkoutUrl: string;
}

export async function orderSubscription({ api, screen }: Demo, signal: AbortSignal): Promise<Ordered> {
  screen.line(`The coupon ${coupon.code} takes ${coupon.percentOff}% off the first period.`);
  const { status, data } = await api(signal).createSubscription({ body: wanted, idempotencyKey: 'demo-subscription' });
  screen.line(screen.style('dim', `${status} ${JSON.stringify(data)}`));
  return data;
}

interface Standing {
  readonly status: string;
  readonly plan: string;
  readonly features: string;
  readonly balance: number;
}

async function standingOf({ api }: Demo, signal: AbortSignal): Promise<Standing> {
  const { subscription } = (await api(signal).getSubscription()).data;
  const { plan, features } = (await api(signal).getProfile()).data;
  const { balance } = (await api(signal).listCreditHistory({ query: { limit: 1 } })).data;
  return { status: subscription?.status ?? 'none', plan: plan?.id ?? 'none', features: features.join(', '), balance };
}

const show = ({ screen }: Demo, act: string, { status, plan, features, balance }: Standing): void =>
  screen.line(`${act.padEnd(14)}  ${status.padEnd(8)}  plan ${plan} (${features})  ${balance} credits`);

const reached = (demo: Demo, { status, balance }: Pick<Standing, 'status' | 'balance'>, signal: AbortSignal) =>
  seen(
    () => standingOf(demo, signal),
    (now) => now.status === status && now.balance === balance,
    signal,
  );

/** The error code of an attempt to subscribe a second time. */
async function codeOfSecond({ api }: Demo, signal: AbortSignal): Promise<string> {
  try {
    await api(signal).createSubscription({ body: wanted });
    return 'no error';
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}

/** Pays the checkout after a declined card; undefined if that failed. */
export async function paySubscription(
  demo: Demo,
  { checkoutUrl }: Ordered,
  signal: AbortSignal,
): Promise<SubscriptionPage | undefined> {
  const { checks, screen } = demo;
  const before = await standingOf(demo, signal);
  show(demo, 'ordered', before);
  const checkout = checkoutPage(checkoutUrl);
  const declined = await checkout.pay(declinedCard);
  const between = await standingOf(demo, signal);
  show(demo, 'card declined', between);
  const page = await checkout.pay();
  const after = await reached(demo, { status: 'active', balance: before.balance + monthlyCredits }, signal);
  show(demo, 'paid, 20% off', after);
  if (page) screen.line(screen.style('dim', page.url));
  const second = await codeOfSecond(demo, signal);
  screen.line(`Another one: ${second}`);
  checks.report('subscribed', [
    ...unless(!declined && between.status === 'pending', `after a declined card, it is ${between.status}`),
    ...unless(between.balance === before.balance, 'a declined card brought credits'),
    ...unless(after.status === 'active' && after.balance === before.balance + monthlyCredits, `it is ${after.status}`),
    ...unless(after.plan === 'pro' && after.features === 'cortes, studio', `the features are ${after.features}`),
  ]);
  checks.report('exclusive', unless(second === 'SUBSCRIPTION_ALREADY_ACTIVE', `a second one got ${second}`));
  return page;
}

export async function changeSubscription(demo: Demo, page: SubscriptionPage, signal: AbortSignal): Promise<void> {
  const { balance } = await standingOf(demo, signal);
  const problems: string[] = [];
  for (const { press, status, periods } of acts) {
    const expected = balance + (periods - 1) * monthlyCredits;
    await page.press(press);
    const after = await reached(demo, { status, balance: expected }, signal);
    show(demo, press, after);
    problems.push(
      ...unless(after.status === status, `after ${press}, it is ${after.status}`),
      ...unless(after.balance === expected, `after ${press}, the balance is ${after.balance}, not ${expected}`),
      ...unless(after.features === 'cortes, studio', `after ${press}, the features are ${after.features}`),
    );
  }
  demo.checks.report('renewed', problems);
}
