/** Serves the pages of the sandbox, and does what their buttons say: a program may press them by the same forms. */
import { type EventFate, isEventFate, type SentEvent } from '../event-sender.ts';
import { checkoutPage } from './checkout-page.ts';
import { applyCode, expireSession, findSession, paySession } from './checkout-sessions.ts';
import { startPage } from './start-page.ts';
import { StripeFault } from './stripe-fault.ts';
import type { Session, StripeEvent } from './stripe-objects.ts';
import type { StripeWorld } from './stripe-world.ts';
import { doToSubscription, isSubscriptionDeed } from './subscription-deeds.ts';
import { subscriptionPage } from './subscription-page.ts';

export interface PageRequest {
  readonly url: URL;
  /** Undefined if the page is only looked at. */
  readonly form: URLSearchParams | undefined;
}

export interface PageReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface PageHost {
  readonly world: StripeWorld;
  /** How the events of further changes are sent. */
  events: EventFate;
  readonly sent: () => readonly SentEvent<StripeEvent>[];
}

const html = (body: string): PageReply => ({
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
  body,
});

const text = (status: number, body: string): PageReply => ({ status, headers: { 'content-type': 'text/plain' }, body });

const redirect = (location: string): PageReply => ({ status: 303, headers: { location }, body: '' });

function enterCode(world: StripeWorld, session: Session, code: string): PageReply {
  try {
    applyCode(world, session, code);
    return redirect(`/checkout/${session.id}`);
  } catch (error) {
    if (!(error instanceof StripeFault)) throw error;
    return redirect(`/checkout/${session.id}?${new URLSearchParams({ code: error.message }).toString()}`);
  }
}

function pressCheckout({ world }: PageHost, session: Session, form: URLSearchParams): PageReply {
  const page = `/checkout/${session.id}`;
  const deed = form.get('deed');
  if (deed === 'expire' && session.status === 'open') expireSession(world, session.id);
  if (deed === 'abandon') return redirect(session.cancel_url ?? page);
  if (session.status !== 'open') return redirect(page);
  if (deed === 'apply-code') return enterCode(world, session, form.get('code') ?? '');
  if (deed !== 'pay') return redirect(page);
  const paid = paySession(world, session, {
    number: form.get('card') ?? '',
    email: form.get('email') ?? 'subscriber@example.com',
  });
  return redirect('declineCode' in paid ? `${page}?declined=${paid.declineCode}` : page);
}

function serveCheckout(host: PageHost, id: string, { url, form }: PageRequest): PageReply {
  const session = findSession(host.world, id);
  if (!session) return text(404, 'There is no such checkout.');
  if (form) return pressCheckout(host, session, form);
  const [declined, code] = [url.searchParams.get('declined'), url.searchParams.get('code')];
  const notice = { ...(declined !== null && { declined }), ...(code !== null && { code }) };
  return html(checkoutPage(host.world, session, notice));
}

function serveSubscription(host: PageHost, id: string, { form }: PageRequest): PageReply {
  const subscription = host.world.records.find('subscription', id);
  if (!subscription) return text(404, 'There is no such subscription.');
  if (!form) return html(subscriptionPage(host.world, subscription));
  const deed = form.get('deed');
  if (!isSubscriptionDeed(deed)) return text(400, 'There is no such button.');
  try {
    doToSubscription(host.world, id, deed, Number(form.get('days')) || 1);
  } catch (error) {
    if (error instanceof StripeFault) return text(409, error.message);
    throw error;
  }
  return redirect(`/subscriptions/${id}`);
}

/** What can be repeated by anybody who saw it. */
const sentEvents = (host: PageHost): string =>
  JSON.stringify(
    host.sent().map(({ change: { id: eventId, type }, ...request }) => ({ eventId, type, ...request })),
    null,
    2,
  );

function serve(host: PageHost, request: PageRequest): PageReply | undefined {
  const { pathname } = request.url;
  if (pathname === '/') return html(startPage(host.world, host.sent()));
  if (pathname === '/events') {
    return { status: 200, headers: { 'content-type': 'application/json' }, body: sentEvents(host) };
  }
  const [, kind, id = ''] = /^\/(checkout|subscriptions)\/(\w+)$/.exec(pathname) ?? [];
  if (kind === 'checkout') return serveCheckout(host, id, request);
  return kind === 'subscriptions' ? serveSubscription(host, id, request) : undefined;
}

/** Undefined if the path is none of a page's. How events are sent is chosen for each button that is pressed. */
export function servePage(host: PageHost, request: PageRequest): PageReply | undefined {
  const chosen = request.form?.get('events') ?? null;
  const usual = host.events;
  if (isEventFate(chosen)) host.events = chosen;
  try {
    return serve(host, request);
  } finally {
    host.events = usual;
  }
}
