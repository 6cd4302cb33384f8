/** The hosted checkout, on which a person pays for a subscription or leaves it. */
import { alertBox, badge, escaped, eventsField, hostedPage, reais, rows } from '../hosted-page.ts';
import { soldIn } from './checkout-sessions.ts';
import { idOf, type Session } from './stripe-objects.ts';
import type { StripeWorld } from './stripe-world.ts';
import { testCards } from './test-cards.ts';

export interface CheckoutNotice {
  /** Why the card was declined. */
  readonly declined?: string;
  /** Why the code was not applied. */
  readonly code?: string;
}

const spaced = (number: string): string => number.replaceAll(/(\d{4})(?=\d)/g, '$1 ');

const cards = testCards
  .map(
    ({ number, label }, index) =>
      `<label class="choice"><input type="radio" name="card" value="${number}"${index === 0 ? ' checked' : ''}><span>${label}<small>${spaced(number)}</small></span></label>`,
  )
  .join('\n');

const reasons: Readonly<Record<string, string>> = {
  insufficient_funds: 'Your card has insufficient funds. Try a different card.',
  incorrect_number: 'Your card number is incorrect.',
};

const declinedText = (reason: string | undefined): string | undefined =>
  reason === undefined ? undefined : (reasons[reason] ?? 'Your card was declined. Try a different card.');

const codeForm = (session: Session, notice: string | undefined): string =>
  session.allow_promotion_codes
    ? `<form method="post">${alertBox(notice)}
<div class="row"><label>Coupon <input name="code" autocomplete="off" autocapitalize="characters" required></label>
<button name="deed" value="apply-code">Apply</button></div></form>`
    : '';

const payForm = (session: Session, { declined }: CheckoutNotice): string => `<form method="post">
${alertBox(declinedText(declined))}
${
  session.customer_email === null
    ? '<label>Email <input type="email" name="email" value="subscriber@example.com" autocomplete="email" required></label>'
    : `<p>Email: <strong>${escaped(session.customer_email)}</strong></p>`
}
<fieldset><legend>Pay with a test card</legend>
${cards}</fieldset>
${eventsField()}
<button class="main" name="deed" value="pay">Subscribe for ${reais(session.amount_total ?? 0)}</button>
</form>
<form method="post"><button name="deed" value="abandon" formnovalidate>Leave without paying</button></form>`;

function outcome(session: Session): string {
  const back = session.status === 'complete' ? session.success_url : session.cancel_url;
  const link =
    back === null
      ? ''
      : `<p><a href="${escaped(back.replace('{CHECKOUT_SESSION_ID}', session.id))}">Back to the merchant</a></p>`;
  return session.status === 'complete'
    ? `<p class="alert good" role="status">Your subscription is active.</p>
<p><a href="/subscriptions/${escaped(idOf(session.subscription))}">Manage the subscription</a></p>${link}`
    : `<p class="alert" role="status">This checkout has expired: nothing can be paid here any more.</p>${link}`;
}

const statusBadge = ({ status }: Session): string => {
  if (status === 'complete') return badge('paid', 'good');
  return status === 'open' ? badge('waiting for payment', 'wait') : badge('expired', 'bad');
};

function summary(world: StripeWorld, session: Session): string {
  const { price, details } = soldIn(world, session);
  const product = world.records.find('product', idOf(price.product));
  const period = price.recurring?.interval === 'year' ? 'year' : 'month';
  const [discount] = session.discounts ?? [];
  const coupon = world.records.find('coupon', idOf(discount?.coupon));
  const code = world.records.find('promotion_code', idOf(discount?.promotion_code))?.code ?? coupon?.name ?? coupon?.id;
  const off = session.total_details?.amount_discount ?? 0;
  const lines: [string, string][] = [
    [`${details.quantity} × ${product?.name ?? ''}`, reais(session.amount_subtotal ?? 0)],
  ];
  if (coupon) {
    const span = coupon.duration === 'forever' ? 'every period' : 'first period';
    lines.push([`Coupon ${code ?? ''} (${span})`, `−${reais(off)}`]);
  }
  return `<h1>Subscribe to ${escaped(product?.name ?? '')}</h1>
<p class="amount">${reais(session.amount_total ?? 0)} <small>${coupon?.duration === 'once' ? `for the first ${period}` : `per ${period}`}</small></p>
${statusBadge(session)}
<dl class="total">${rows(lines)}<dt class="sum">Total due today</dt><dd class="sum">${reais(session.amount_total ?? 0)}</dd></dl>`;
}

export function checkoutPage(world: StripeWorld, session: Session, notice: CheckoutNotice): string {
  const isOpen = session.status === 'open';
  return hostedPage({
    title: 'Checkout',
    standIn: 'the checkout of Stripe',
    home: 'All subscriptions',
    content: `<section>${summary(world, session)}
${isOpen ? codeForm(session, notice.code) : ''}</section>
<section>${isOpen ? payForm(session, notice) : outcome(session)}</section>`,
  });
}
