/** The hosted checkout, where a user pays for a subscription or cancels, and the page that browsers return to. */
import { found, type PageRoute, pageRoute } from '../page-server.ts';
import { eventsField, reais, type SandboxPage } from '../sandbox-page.ts';
import { expireSession, findSession, paySession, soldIn } from './checkout-sessions.ts';
import type { Session } from './stripe-objects.ts';
import type { StripeWorld } from './stripe-world.ts';
import { testCards } from './test-cards.ts';

/** The page that browsers return to if the merchant has no page of its own. */
export const returnedPath = '/returned';

export const checkoutButtons = ['pay', 'abandon', 'expire'] as const;

const states: Readonly<Record<string, string>> = { complete: 'paid', open: 'waiting for payment' };

type Links = NonNullable<SandboxPage['links']>;

function linksOf({ id, status, subscription, success_url: success, cancel_url: canceled }: Session): Links {
  const back = status === 'complete' ? success : canceled;
  return [
    ...(status === 'complete' ? [[`/subscriptions/${subscription}`, 'Manage the subscription'] as const] : []),
    ...(back === null ? [] : [[back.replace('{CHECKOUT_SESSION_ID}', id), 'Back to the merchant'] as const]),
    ['/', 'All subscriptions'],
  ];
}

function checkoutPage(world: StripeWorld, session: Session, alert: string | null): SandboxPage {
  const { planName, interval, couponId = '' } = soldIn(world, session);
  const { amount_subtotal: subtotal, amount_total: total } = session;
  const coupon = world.records.find('coupon', couponId);
  const cards = testCards.map(({ number, label }) => [number, `${label}: ${number}`] as const);
  return {
    title: 'Checkout',
    alert: alert ?? undefined,
    status: states[String(session.status)] ?? 'expired',
    facts: [
      [planName, reais(subtotal ?? 0)],
      [`Coupon ${coupon?.name ?? ''}`, `−${reais((subtotal ?? 0) - (total ?? 0))}`],
      ['Coupon reduces', coupon?.duration === 'forever' ? 'every payment' : 'the first payment'],
      ['Renewed every', interval],
      ['Total due today', reais(total ?? 0)],
    ],
    fields: [
      { name: 'email', label: 'Email', type: 'email', value: session.customer_email ?? 'subscriber@example.com' },
      { name: 'card', label: 'Test card', type: 'radio', value: testCards[0].number, options: cards },
      eventsField(),
    ],
    links: linksOf(session),
  };
}

const pageOf = ({ id }: Session, alert?: string): string =>
  `/checkout/${id}${alert === undefined ? '' : `?${new URLSearchParams({ alert }).toString()}`}`;

function pay(world: StripeWorld, session: Session, form: URLSearchParams): string {
  const payer = { number: form.get('card') ?? '', email: form.get('email') ?? 'subscriber@example.com' };
  const paid = paySession(world, session, payer);
  if (!('declineCode' in paid)) return pageOf(session);
  return pageOf(session, `The card was declined: ${paid.declineCode.replaceAll('_', ' ')}.`);
}

function press(world: StripeWorld, session: Session, action: (typeof checkoutButtons)[number], form: URLSearchParams) {
  if (action === 'abandon') return session.cancel_url ?? pageOf(session);
  if (session.status !== 'open') return pageOf(session);
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
