/** The start page of the sandbox: its checkouts and subscriptions, the coupons that can be entered, and what was sent. */
import type { SentEvent } from '../event-sender.ts';
import { type Entry, hostedPage, listed, reais } from '../hosted-page.ts';
import { itemOf } from './invoices.ts';
import { idOf, type StripeEvent } from './stripe-objects.ts';
import type { StripeWorld } from './stripe-world.ts';

const mostShown = 50;

const checkouts = ({ records }: StripeWorld): Entry[] =>
  records.all('checkout.session').map(({ id, amount_total: total, customer_email: email, status }) => ({
    what: reais(total ?? 0),
    link: `/checkout/${id}`,
    status: String(status),
    detail: email ?? id,
  }));

const subscriptions = ({ records }: StripeWorld): Entry[] =>
  records.all('subscription').map((subscription) => ({
    what: records.find('product', idOf(itemOf(subscription).price.product))?.name ?? subscription.id,
    link: `/subscriptions/${subscription.id}`,
    status: subscription.status.replaceAll('_', ' '),
    detail: records.find('customer', idOf(subscription.customer))?.email ?? subscription.id,
  }));

const sentEvent = ({ change, status }: SentEvent<StripeEvent>): Entry => ({
  what: change.type,
  status: status === null ? 'no response' : `response ${status}`,
  detail: change.id,
});

const noCheckouts = '<p>There are no checkouts yet: create a subscription by the API, and open its checkout here.</p>';

export function startPage(world: StripeWorld, sent: readonly SentEvent<StripeEvent>[]): string {
  const open = listed('Checkouts, newest first', checkouts(world).slice(0, mostShown));
  const events = listed('Events sent', sent.toReversed().slice(0, mostShown).map(sentEvent));
  return hostedPage({
    title: 'Subscriptions sandbox',
    standIn: 'Stripe',
    content: `<section><h1>Subscriptions sandbox</h1>
${listed('Subscriptions, newest first', subscriptions(world).slice(0, mostShown))}${open || noCheckouts}</section>
<section>${events || '<h2>Events sent</h2><p>None yet.</p>'}
<p><a href="/events">All of them as JSON</a></p></section>`,
  });
}
