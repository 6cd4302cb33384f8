/** Serves the pages of the sandbox, and does what their buttons say: a program may press them by the same forms. */
import type { EventFate, SentEvent } from '../event-sender.ts';
import { html, json, type PageReply, type PageRequest, pressIn, redirect, text } from '../page-reply.ts';
import { checkoutPage } from './checkout-page.ts';
import { applyCode, expireSession, findSession, paySession } from './checkout-sessions.ts';
import { returnedPage, returnedPath } from './returned-page.ts';
import { startPage } from './start-page.ts';
import { StripeFault } from './stripe-fault.ts';
import type { Session, StripeEvent } from './stripe-objects.ts';
import type { StripeWorld } from './stripe-world.ts';
import { doToSubscription, type SubscriptionDeed, subscriptionDeeds } from './subscription-deeds.ts';
import { subscriptionPage } from './subscription-page.ts';

export interface PageHost {
  readonly world: StripeWorld;
  /** How the events of further changes are sent. */
  events: EventFate;
  readonly sent: () => readonly SentEvent<StripeEvent>[];
}

function enterCode(world: StripeWorld, session: Session, code: string): PageReply {
  try {
    applyCode(world, session, code);
    return redirect(`/checkout/${session.id}`);
  } catch (error) {
    if (!(error instanceof StripeFault)) throw error;
    return redirect(`/checkout/${session.id}?${new URLSearchParams({ code: error.message }).toString()}`);
  }
}

export const checkoutButtons = ['pay', 'apply-code', 'abandon', 'expire'] as const;
type CheckoutButton = (typeof checkoutButtons)[number];

function pressCheckout({ world }: PageHost, session: Session, form: URLSearchParams, deed: CheckoutButton): PageReply {
  const page = `/checkout/${session.id}`;
  if (deed === 'abandon') return redirect(session.cancel_url ?? page);
  if (session.status !== 'open') return redirect(page);
  if (deed === 'apply-code') return enterCode(world, session, form.get('code') ?? '');
  if (deed === 'expire') {
    expireSession(world, session.id);
    return redirect(page);
  }
  const paid = paySession(world, session, {
    number: form.get('card') ?? '',
    email: form.get('email') ?? 'subscriber@example.com',
  });
  return redirect('declineCode' in paid ? `${page}?declined=${paid.declineCode}` : page);
}

/** How events are sent is chosen for each button that is pressed. */
function pressed<Button extends string>(
  host: PageHost,
  form: URLSearchParams,
  buttons: readonly Button[],
  act: (deed: Button) => PageReply,
): PageReply {
  const press = pressIn(form, buttons);
  if ('status' in press) return press;
  const usual = host.events;
  host.events = press.events;
  try {
    return act(press.deed);
  } finally {
    host.events = usual;
  }
}

function serveCheckout(host: PageHost, id: string, { url, form }: PageRequest): PageReply {
  const session = findSession(host.world, id);
  if (!session) return text(404, 'There is no such checkout.');
  if (form) return pressed(host, form, checkoutButtons, (deed) => pressCheckout(host, session, form, deed));
  const [declined, code] = [url.searchParams.get('declined'), url.searchParams.get('code')];
  const notice = { ...(declined !== null && { declined }), ...(code !== null && { code }) };
  return html(checkoutPage(host.world, session, notice));
}

function pressSubscription({ world }: PageHost, id: string, form: URLSearchParams, deed: SubscriptionDeed): PageReply {
  try {
    doToSubscription(world, id, deed, Number(form.get('days')) || 1);
  } catch (error) {
    if (error instanceof StripeFault) return text(409, error.message);
    throw error;
  }
  return redirect(`/subscriptions/${id}`);
}

function serveSubscription(host: PageHost, id: string, { form }: PageRequest): PageReply {
  const subscription = host.world.records.find('subscription', id);
  if (!subscription) return text(404, 'There is no such subscription.');
  return form
    ? pressed(host, form, subscriptionDeeds, (deed) => pressSubscription(host, id, form, deed))
    : html(subscriptionPage(host.world, subscription));
}

/** What can be repeated by anybody who saw it. */
const sentEvents = (host: PageHost): PageReply =>
  json(host.sent().map(({ change: { id: eventId, type }, ...request }) => ({ eventId, type, ...request })));

/** Undefined if the path is none of a page's. */
export function servePage(host: PageHost, request: PageRequest): PageReply | undefined {
  const { pathname } = request.url;
  if (pathname === '/') return html(startPage(host.world, host.sent()));
  if (pathname === '/events') return sentEvents(host);
  if (pathname === returnedPath) return html(returnedPage(request.url.searchParams));
  const [, kind, id = ''] = /^\/(checkout|subscriptions)\/(\w+)$/.exec(pathname) ?? [];
  if (kind === 'checkout') return serveCheckout(host, id, request);
  return kind === 'subscriptions' ? serveSubscription(host, id, request) : undefined;
}
