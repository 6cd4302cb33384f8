/**
 * The page of a subscription, on which a user acts as its subscriber, the card's bank, the merchant and time; and the
 * list of all subscriptions.
 */
import type { SentEvent } from '../event-sender.ts';
import { found, PageFault, type PageRoute, pageRoute } from '../page-server.ts';
import { type Entry, eventsField, reais, type SandboxPage, sentEntry, timeText } from '../sandbox-page.ts';
import { chargeOf, invoicesOf } from './invoices.ts';
import { StripeFault } from './stripe-fault.ts';
import { type Invoice, itemOf, type StripeEvent, type Subscription } from './stripe-objects.ts';
import { clockOf, detailsOf, type StripeWorld } from './stripe-world.ts';
import { doToSubscription, subscriptionActions } from './subscription-actions.ts';

function stateOf(world: StripeWorld, invoice: Invoice): string {
  const charge = chargeOf(world, invoice.id);
  const dispute = charge && world.records.all('dispute').find((one) => one.charge === charge.id);
  if (dispute) return `${invoice.status}, dispute: ${dispute.status.replaceAll('_', ' ')}`;
  if (!charge?.amount_refunded) return String(invoice.status);
  return charge.refunded ? 'refunded' : `${invoice.status}, ${reais(charge.amount_refunded)} refunded`;
}

const periodOf = ({ start, end }: { start: number; end: number }): string =>
  [start, end].map((seconds) => timeText(seconds * 1000).slice(0, 10)).join(' to ');

const invoiceEntry = (world: StripeWorld, invoice: Invoice): Entry => ({
  what: reais(invoice.amount_due),
  status: stateOf(world, invoice),
  detail: `${invoice.number ?? invoice.id}, ${periodOf(invoice.lines.data[0].period)}`,
});

const planIn = (world: StripeWorld, { id }: Subscription): string => detailsOf(world, id)?.planName ?? id;

const customerIn = ({ records }: StripeWorld, { id, customer }: Subscription): string =>
  records.find('customer', customer)?.email ?? id;

function subscriptionPage(world: StripeWorld, subscription: Subscription): SandboxPage {
  const { id, status, cancel_at_period_end: isEnding } = subscription;
  const { price, current_period_start: start, current_period_end: end } = itemOf(subscription);
  return {
    title: `${planIn(world, subscription)}, subscribed`,
    status: status === 'active' && isEnding ? 'active until the period’s end' : status.replaceAll('_', ' '),
    facts: [
      [`Price of a ${price.recurring.interval}`, reais(price.unit_amount)],
      ['Subscriber', customerIn(world, subscription)],
      ['Period', periodOf({ start, end })],
      ['Its clock (UTC)', timeText(clockOf(world, subscription) * 1000)],
    ],
    fields: [{ name: 'days', label: 'Days to advance its clock', type: 'number', value: '7' }, eventsField()],
    links: [['/', 'All subscriptions']],
    lists: [['Invoices, newest first', invoicesOf(world, id).map((invoice) => invoiceEntry(world, invoice))]],
  };
}

const maxShown = 50;

function startPage(world: StripeWorld, sent: readonly SentEvent<StripeEvent>[]): SandboxPage {
  const { records } = world;
  const subscriptions = records.all('subscription').map((one) => ({
    what: planIn(world, one),
    link: `/subscriptions/${one.id}`,
    status: one.status.replaceAll('_', ' '),
    detail: customerIn(world, one),
  }));
  const checkouts = records.all('checkout.session').map(({ id, amount_total: total, customer_email, status }) => ({
    what: reais(total ?? 0),
    link: `/checkout/${id}`,
    status: String(status),
    detail: customer_email ?? id,
  }));
  const events = sent.toReversed().map(({ change: { id, type }, status }) => sentEntry(type, id, status));
  return {
    title: 'Subscriptions sandbox',
    links: [['/events', 'Events sent, as JSON']],
    lists: [
      ['Subscriptions, newest first', subscriptions.slice(0, maxShown)],
      ['Checkouts, newest first', checkouts.slice(0, maxShown)],
      ['Events sent', events.slice(0, maxShown)],
    ],
  };
}

type Sent = () => readonly SentEvent<StripeEvent>[];

export function subscriptionPages(world: StripeWorld, sent: Sent): readonly PageRoute[] {
  const find = (id: string): Subscription => found(world.records.find('subscription', id), 'subscription');
  return [
    pageRoute({
      path: /^\/subscriptions\/(\w+)$/,
      show: (id) => subscriptionPage(world, find(id)),
      actions: subscriptionActions,
      press(id, action, form) {
        try {
          doToSubscription(world, find(id).id, action, Number(form.get('days')) || 1);
        } catch (error) {
          throw error instanceof StripeFault ? new PageFault(409, error.message) : error;
        }
        return `/subscriptions/${id}`;
      },
    }),
    pageRoute({ path: /^\/$/, show: () => startPage(world, sent()) }),
  ];
}
