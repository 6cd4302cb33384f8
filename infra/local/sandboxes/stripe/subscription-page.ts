/** The page of a subscription, on which a person plays its subscriber, the card's bank, the merchant and time. */
import {
  badge,
  dateAt,
  dayAt,
  type Entry,
  escaped,
  eventsField,
  hostedPage,
  listed,
  reais,
  rows,
} from '../hosted-page.ts';
import { chargeOf, invoicesOf, itemOf } from './invoices.ts';
import { type Invoice, idOf, type Subscription } from './stripe-objects.ts';
import { clockOf, type StripeWorld } from './stripe-world.ts';
import type { SubscriptionDeed } from './subscription-deeds.ts';

interface Button {
  readonly deed: SubscriptionDeed;
  readonly label: string;
  readonly kind?: 'main' | 'bad';
}

const buttonOf = ({ deed, label, kind }: Button): string =>
  `<button name="deed" value="${deed}"${kind ? ` class="${kind}"` : ''}>${label}</button>`;

const group = (title: string, buttons: readonly (Button | false)[]): string => {
  const shown = buttons.filter((button) => button !== false);
  if (shown.length === 0) return '';
  return `<fieldset><legend>${title}</legend><div class="pair">${shown.map(buttonOf).join('\n')}</div></fieldset>`;
};

function renewalButtons({ status, cancel_at_period_end: isEnding }: Subscription): string {
  if (status === 'past_due') {
    return group('The renewal was not paid', [
      { deed: 'pay-invoice', label: 'Pay the failed renewal', kind: 'main' },
      { deed: 'give-up', label: 'Stop trying', kind: 'bad' },
    ]);
  }
  if (isEnding) return group('At the end of the period', [{ deed: 'renew', label: 'Let it end', kind: 'main' }]);
  return group('At the end of the period', [
    { deed: 'renew', label: 'Renew now', kind: 'main' },
    { deed: 'fail-renewal', label: 'Fail the renewal', kind: 'bad' },
  ]);
}

const cancelButtons = ({ cancel_at_period_end: isEnding }: Subscription): string =>
  group('Cancellation', [
    { deed: 'cancel-now', label: 'Cancel now', kind: 'bad' },
    isEnding
      ? { deed: 'resume', label: 'Keep it after all' }
      : { deed: 'cancel-at-period-end', label: 'Cancel at the period’s end' },
  ]);

/** For the latest payment. */
function paymentButtons(world: StripeWorld, subscriptionId: string): string {
  const paid = invoicesOf(world, subscriptionId).find((invoice) => chargeOf(world, invoice.id));
  const charge = paid && chargeOf(world, paid.id);
  if (!charge || charge.refunded) return '';
  const dispute = world.records.all('dispute').find((one) => one.charge === charge.id);
  if (!dispute) {
    return group('The latest payment', [
      { deed: 'refund', label: 'Refund it' },
      { deed: 'refund-part', label: `Refund ${reais(100)}` },
      { deed: 'dispute', label: 'Dispute it', kind: 'bad' },
    ]);
  }
  if (dispute.status !== 'needs_response') return '';
  return group('The latest payment is disputed', [
    { deed: 'lose-dispute', label: 'Lose the dispute', kind: 'bad' },
    { deed: 'win-dispute', label: 'Win the dispute' },
  ]);
}

const controls = (world: StripeWorld, subscription: Subscription): string => `<form method="post">
${eventsField()}
${subscription.status === 'canceled' ? '' : renewalButtons(subscription) + cancelButtons(subscription)}
${paymentButtons(world, subscription.id)}
${group('Events', [{ deed: 'notify', label: 'Send an event' }])}
</form>
${
  subscription.status === 'canceled'
    ? ''
    : `<form method="post"><div class="row"><label>Days to advance its clock
<input name="days" type="number" min="1" max="400" value="7" required></label>
<button name="deed" value="advance">Advance</button></div></form>`
}`;

function stateOf(world: StripeWorld, invoice: Invoice): string {
  const charge = chargeOf(world, invoice.id);
  const dispute = charge && world.records.all('dispute').find((one) => one.charge === charge.id);
  if (dispute) return `${invoice.status}, dispute: ${dispute.status.replaceAll('_', ' ')}`;
  if (!charge?.amount_refunded) return String(invoice.status);
  return charge.refunded ? 'refunded' : `${invoice.status}, ${reais(charge.amount_refunded)} refunded`;
}

function entryOf(world: StripeWorld, invoice: Invoice): Entry {
  const { start, end } = invoice.lines.data[0]?.period ?? { start: 0, end: 0 };
  const detail = `${invoice.number ?? invoice.id}, ${dayAt(start)} to ${dayAt(end)}`;
  return { what: reais(invoice.total), status: stateOf(world, invoice), detail };
}

const badgeOf = ({ status, cancel_at_period_end: isEnding }: Subscription): string => {
  if (status === 'active') return isEnding ? badge('active until the period’s end', 'wait') : badge('active', 'good');
  return badge(status.replaceAll('_', ' '), 'bad');
};

function summary(world: StripeWorld, subscription: Subscription): string {
  const item = itemOf(subscription);
  const product = world.records.find('product', idOf(item.price.product));
  const customer = world.records.find('customer', idOf(subscription.customer));
  const interval = item.price.recurring?.interval === 'year' ? 'year' : 'month';
  return `<h1>${escaped(product?.name ?? 'Subscription')}</h1>
<p class="amount">${reais((item.price.unit_amount ?? 0) * (item.quantity ?? 1))} <small>per ${interval}</small></p>
${badgeOf(subscription)}
<dl>${rows([
    ['Subscriber', escaped(customer?.email ?? '')],
    ['Period', `${dayAt(item.current_period_start)} to ${dayAt(item.current_period_end)}`],
    ['Its clock (UTC)', dateAt(clockOf(world, subscription))],
    ['Subscription', escaped(subscription.id)],
  ])}</dl>`;
}

export const subscriptionPage = (world: StripeWorld, subscription: Subscription): string =>
  hostedPage({
    title: 'Subscription',
    standIn: 'Stripe, the subscriber and the card’s bank',
    home: 'All subscriptions',
    content: `<section>${summary(world, subscription)}</section>
<section>${controls(world, subscription)}</section>
<section class="wide">${listed(
      'Invoices, newest first',
      invoicesOf(world, subscription.id).map((invoice) => entryOf(world, invoice)),
    )}</section>`,
  });
