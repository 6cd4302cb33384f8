/** The start page of the sandbox: its checkouts and subscriptions, the coupons that can be entered, and what was sent. */
import type { SentEvent } from '../event-sender.ts';
import { escaped, hostedPage, listed, reais } from '../hosted-page.ts';
import { itemOf } from './invoices.ts';
import type { StripeEvent } from './stripe-objects.ts';
import type { StripeWorld } from './stripe-world.ts';

const mostShown = 50;

const productOf = ({ records }: StripeWorld, priceProduct: unknown): string =>
  escaped(records.find('product', String(priceProduct))?.name ?? '');

const checkouts = (world: StripeWorld): string[] =>
  world.records.all('checkout.session').map((session) => {
    const who = escaped(session.customer_email ?? '');
    return `<a href="/checkout/${session.id}">${reais(session.amount_total ?? 0)}</a> ${who}: ${escaped(String(session.status))}`;
  });

const subscriptions = (world: StripeWorld): string[] =>
  world.records.all('subscription').map((subscription) => {
    const name = productOf(world, itemOf(subscription).price.product);
    const who = escaped(world.records.find('customer', String(subscription.customer))?.email ?? '');
    return `<a href="/subscriptions/${subscription.id}">${name}</a> ${who}: ${escaped(subscription.status.replaceAll('_', ' '))}`;
  });

const received = ({ change, status }: SentEvent<StripeEvent>): string =>
  `${escaped(change.type)}: ${status === null ? 'no response' : `response ${status}`}`;

export function startPage(world: StripeWorld, sent: readonly SentEvent<StripeEvent>[]): string {
  const all = [
    listed('Subscriptions, newest first', subscriptions(world).slice(0, mostShown)),
    listed('Checkouts, newest first', checkouts(world).slice(0, mostShown)),
  ].join('');
  return hostedPage({
    title: 'Subscriptions sandbox',
    standIn: 'Stripe',
    content: `<section><h1>Subscriptions sandbox</h1>
${all || '<p>There are no checkouts yet: create a subscription by the API, and open its checkout here.</p>'}</section>
<section><h2>Events sent, and their responses</h2>
${
  sent.length === 0
    ? '<p>None yet.</p>'
    : `<ul>${sent
        .toReversed()
        .slice(0, mostShown)
        .map((one) => `<li>${received(one)}</li>`)
        .join('')}</ul>`
}
<p><a href="/events">All of them as JSON</a></p></section>`,
  });
}
