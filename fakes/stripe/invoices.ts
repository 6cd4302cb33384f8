/** Creates and settles invoices, and the payments that settle them. */
import { amountOff } from './discounts.ts';
import type { Charge, Invoice, InvoicePayment, Subscription } from './stripe-objects.ts';
import { itemOf } from './stripe-objects.ts';
import { newId } from './stripe-records.ts';
import { clockOf, detailsOf, emit, type StripeWorld, setDetails } from './stripe-world.ts';

const subscriptionIdOf = ({ parent }: Invoice): string => parent.subscription_details.subscription;

export const subscriptionOf = ({ records }: StripeWorld, invoice: Invoice): Subscription | undefined =>
  records.find('subscription', subscriptionIdOf(invoice));

/** The invoices of a subscription, newest first. */
export const invoicesOf = ({ records }: StripeWorld, subscriptionId: string): Invoice[] =>
  records.all('invoice').filter((invoice) => subscriptionIdOf(invoice) === subscriptionId);

/** The payments for an invoice, newest first. */
export const paymentsOf = ({ records }: StripeWorld, invoiceId: string): InvoicePayment[] =>
  records.all('invoice_payment').filter(({ invoice }) => invoice === invoiceId);

export function chargeOf(world: StripeWorld, invoiceId: string): Charge | undefined {
  const [payment] = paymentsOf(world, invoiceId);
  const intent = payment && world.records.find('payment_intent', payment.payment.payment_intent);
  return intent && world.records.find('charge', intent.latest_charge);
}

const addMonths = (seconds: number, months: number): number => {
  const date = new Date(seconds * 1000);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return date.getTime() / 1000;
};

/** The end of a period: the day of the month on which the subscription began, or the last day of a shorter month. */
export function periodEnd(anchor: number, periodStart: number, interval: 'month' | 'year'): number {
  const months = interval === 'year' ? 12 : 1;
  for (let count = months; ; count += months) {
    const end = addMonths(anchor, count);
    if (end > periodStart) return end;
  }
}

/** Creates an open invoice for the subscription's current period. A coupon that applies once is used up by it. */
export function issueInvoice(
  world: StripeWorld,
  subscription: Subscription,
  reason: 'subscription_create' | 'subscription_cycle',
): Invoice {
  const { records } = world;
  const { price, current_period_start: start, current_period_end: end } = itemOf(subscription);
  const coupon = records.find('coupon', detailsOf(world, subscription.id)?.couponId ?? '');
  if (coupon?.duration === 'once') setDetails(world, subscription.id, { couponId: undefined });
  return records.put<Invoice>({
    id: newId('in'),
    object: 'invoice',
    amount_due: price.unit_amount - amountOff(coupon, price.unit_amount),
    amount_paid: 0,
    billing_reason: reason,
    created: clockOf(world, subscription),
    currency: subscription.currency,
    customer: subscription.customer,
    lines: { data: [{ period: { start, end }, parent: { subscription_item_details: { proration: false } } }] },
    number: `SANDBOX-${String(records.all('invoice').length + 1).padStart(4, '0')}`,
    parent: { subscription_details: { subscription: subscription.id } },
    status: 'open',
    status_transitions: { paid_at: null },
  });
}

/** A card payment for an invoice: an intent, its charge, and the object that links them to the invoice. */
function payByCard(
  { records }: StripeWorld,
  { id: invoice, amount_due: amount, currency, customer }: Invoice,
  created: number,
) {
  const [intent, charge] = [newId('pi'), newId('ch')];
  const paid = { amount, created, currency };
  records.put({ ...paid, id: intent, object: 'payment_intent', latest_charge: charge, status: 'succeeded' });
  const state = { amount_refunded: 0, disputed: false, paid: true, refunded: false, status: 'succeeded' } as const;
  records.put({ ...paid, ...state, id: charge, object: 'charge', customer, payment_intent: intent });
  records.put({
    id: newId('inpay'),
    object: 'invoice_payment',
    amount_paid: amount,
    created,
    currency,
    invoice,
    payment: { type: 'payment_intent', payment_intent: intent },
    status: 'paid',
  });
}

/** Settles an invoice; nothing is charged for an invoice of zero. */
export function settleInvoice(world: StripeWorld, invoice: Invoice): Invoice {
  const subscription = subscriptionOf(world, invoice);
  const paidAt = subscription ? clockOf(world, subscription) : invoice.created;
  if (invoice.amount_due > 0) payByCard(world, invoice, paidAt);
  const paid = world.records.put<Invoice>({
    ...invoice,
    amount_paid: invoice.amount_due,
    status: 'paid',
    status_transitions: { paid_at: paidAt },
  });
  emit(world, 'invoice.paid', paid);
  return paid;
}
