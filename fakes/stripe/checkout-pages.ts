/** The hosted checkout, where a user pays for a subscription or cancels, and the page that browsers return to. */
import { found, type PageRoute, pageRoute } from '../page-server.ts';
import { eventsField, reais, type SandboxPage } from '../sandbox-page.ts';
import { applyCode, expireSession, findSession, paySession, soldIn } from './checkout-sessions.ts';
import { StripeFault } from './stripe-fault.ts';
import { idOf, type Session } from './stripe-objects.ts';
import type { StripeWorld } from './stripe-world.ts';
import { testCards } from './test-cards.ts';

/** The page that browsers return to if the merchant has none. */
export const returnedPath = '/returned';

export const checkoutButtons = ['pay', 'apply-code', 'abandon', 'expire'] as const;

const states: Readonly<Record<string, string>> = { complete: 'paid', open: 'waiting for payment' };

type Links = NonNullable<SandboxPage['links']>;

function linksOf({ id, status, subscription, success_url: success, cancel_url: canceled }: Session): Links {
  const back = status === 'complete' ? success : canceled;
  return [
    ...(status === 'complete' ? [[`/subscriptions/${idOf(subscription)}`, 'Manage the subscription'] as const] : []),
    ...(back === null ? [] : [[back.replace('{CHECKOUT_SESSION_ID}', id), 'Back to the merchant'] as const]),
    ['/', 'All subscriptions'],
  ];
}

function checkoutPage(world: StripeWorld, session: Session, alert: string | null): SandboxPage {
  const { price, details } = soldIn(world, session);
  const product = world.records.find('product', idOf(price.product));
  const [discount] = session.discounts ?? [];
  const coupon = world.records.find('coupon', idOf(discount?.coupon));
  const code = world.records.find('promotion_code', idOf(discount?.promotion_code))?.code ?? coupon?.name ?? coupon?.id;
  const cards = testCards.map(({ number, label }) => [number, `${label}: ${number}`] as const);
  return {
    title: 'Checkout',
    alert: alert ?? undefined,
    status: states[String(session.status)] ?? 'expired',
    facts: [
      [`${details.quantity} × ${product?.name ?? ''}`, reais(session.amount_subtotal ?? 0)],
      [`Coupon ${code ?? ''}`, `−${reais(session.total_details?.amount_discount ?? 0)}`],
      ['Coupon reduces', coupon?.duration === 'forever' ? 'every payment' : 'the first payment'],
      ['Renewed every', String(price.recurring?.interval)],
      ['Total due today', reais(session.amount_total ?? 0)],
    ],
    fields: [
      { name: 'email', label: 'Email', type: 'email', value: session.customer_email ?? 'subscriber@example.com' },
      { name: 'card', label: 'Test card', type: 'radio', value: testCards[0].number, options: cards },
      { name: 'code', label: 'Coupon' },
      eventsField(),
    ],
    links: linksOf(session),
  };
}

const pageOf = ({ id }: Session, alert?: string): string =>
  `/checkout/${id}${alert === undefined ? '' : `?${new URLSearchParams({ alert }).toString()}`}`;

function enterCode(world: StripeWorld, session: Session, code: string): string {
  try {
    applyCode(world, session, code);
    return pageOf(session);
  } catch (error) {
    if (!(error instanceof StripeFault)) throw error;
    return pageOf(session, error.message);
  }
}

function pay(world: StripeWorld, session: Session, form: URLSearchParams): string {
  const payer = { number: form.get('card') ?? '', email: form.get('email') ?? 'subscriber@example.com' };
  const paid = paySession(world, session, payer);
  if (!('declineCode' in paid)) return pageOf(session);
  return pageOf(session, `The card was declined: ${paid.declineCode.replaceAll('_', ' ')}.`);
}

function press(world: StripeWorld, session: Session, action: (typeof checkoutButtons)[number], form: URLSearchParams) {
  if (action === 'abandon') return session.cancel_url ?? pageOf(session);
  if (session.status !== 'open') return pageOf(session);
  const code = form.get('code') ?? '';
  if (action === 'apply-code') return enterCode(world, session, code);
  if (action === 'pay') return pay(world, session, form);
  expireSession(world, session.id);
  return pageOf(session);
}

const outcomes: Readonly<Record<string, string>> = {
  completed: 'checkout completed',
  canceled: 'left without paying',
};

/** The page after a checkout. Its URL could be forged, so a merchant must read the order. */
const returnedPage = (query: URLSearchParams): SandboxPage => ({
  title: 'Back at the merchant’s site',
  status: outcomes[query.get('checkout') ?? ''] ?? 'unknown',
  code: ['What the API says', `curl -s $API/orders/${query.get('orderId') ?? ''} -H "Authorization: Bearer $TOKEN"`],
  links: [['/', 'All subscriptions']],
});

export function checkoutPages(world: StripeWorld): readonly PageRoute[] {
  const find = (id: string): Session => found(findSession(world, id), 'checkout');
  return [
    pageRoute({
      path: /^\/checkout\/(\w+)$/,
      show: (id, query) => checkoutPage(world, find(id), query.get('alert')),
      actions: checkoutButtons,
      press: (id, action, form) => press(world, find(id), action, form),
    }),
    pageRoute({ path: new RegExp(`^${returnedPath}$`), show: (_id, query) => returnedPage(query) }),
  ];
}
