/** Creates and settles invoices, and the payments that settle them. */
import { amountOff } from './discounts.ts';
import { newInvoice } from './new-invoice.ts';
import { newPayment } from './new-payment.ts';
import { missing } from './stripe-fault.ts';
import {
  type Charge,
  type Discount,
  type Invoice,
  type InvoicePayment,
  idOf,
  type Subscription,
} from './stripe-objects.ts';
import { clockOf, emit, type StripeWorld } from './stripe-world.ts';

export const itemOf = (subscription: Subscription) => {
  const [item] = subscription.items.data;
  if (!item) throw missing('subscription item', subscription.id);
  return item;
};

export const subscriptionOf = ({ records }: StripeWorld, invoice: Invoice): Subscription | undefined =>
  records.find('subscription', idOf(invoice.parent?.subscription_details?.subscription));

/** The invoices of a subscription, newest first. */
export const invoicesOf = ({ records }: StripeWorld, subscriptionId: string): Invoice[] =>
  records.all('invoice').filter((invoice) => invoice.parent?.subscription_details?.subscription === subscriptionId);

/** The payments for an invoice, newest first. */
export const paymentsOf = ({ records }: StripeWorld, invoiceId: string): InvoicePayment[] =>
  records.all('invoice_payment').filter(({ invoice }) => invoice === invoiceId);

export function chargeOf(world: StripeWorld, invoiceId: string): Charge | undefined {
  const [payment] = paymentsOf(world, invoiceId);
  const intent = world.records.find('payment_intent', idOf(payment?.payment.payment_intent));
  return world.records.find('charge', idOf(intent?.latest_charge));
}

const couponOf = ({ records }: StripeWorld, { source }: Discount) => records.find('coupon', idOf(source.coupon));

/** The reductions by discounts that still apply. */
function reductionsOf(world: StripeWorld, subscription: Subscription, subtotal: number) {
  return subscription.discounts.flatMap((id) => {
    const discount = world.records.find('discount', idOf(id));
    const coupon = discount && couponOf(world, discount);
    return coupon ? [{ id: idOf(id), amount: amountOff(coupon, subtotal) }] : [];
  });
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
export function periodEnd(anchor: number, periodStart: number, interval: string | undefined): number {
  const months = interval === 'year' ? 12 : 1;
  for (let count = months; ; count += months) {
    const end = addMonths(anchor, count);
    if (end > periodStart) return end;
  }
}

/** The discounts that remain after this invoice: those that apply once or for some months expire. */
function remainingDiscounts(world: StripeWorld, subscription: Subscription): string[] {
  return subscription.discounts.map(idOf).filter((id) => {
    const discount = world.records.find('discount', id);
    const coupon = discount && couponOf(world, discount);
    if (!discount || !coupon) return false;
    if (coupon.duration !== 'repeating') return coupon.duration === 'forever';
    return addMonths(discount.start, coupon.duration_in_months ?? 0) > itemOf(subscription).current_period_end;
  });
}

/** Creates an open invoice for the subscription's current period. */
export function issueInvoice(world: StripeWorld, subscription: Subscription, previousStart?: number): Invoice {
  const { records } = world;
  const item = itemOf(subscription);
  const subtotal = (item.price.unit_amount ?? 0) * (item.quantity ?? 1);
  const product = records.find('product', idOf(item.price.product));
  const customer = records.find('customer', idOf(subscription.customer));
  const invoice = newInvoice({
    subscription,
    created: clockOf(world, subscription),
    subtotal,
    discounts: reductionsOf(world, subscription, subtotal),
    description: `${item.quantity ?? 1} × ${product?.name ?? 'Subscription'}`,
    email: customer?.email ?? null,
    number: `SANDBOX-${String(records.all('invoice').length + 1).padStart(4, '0')}`,
    previousStart,
  });
  records.put({
    ...subscription,
    discounts: remainingDiscounts(world, subscription),
    latest_invoice: invoice.id,
  });
  return records.put(invoice);
}

/** Settles an invoice; one of zero is not charged. */
export function settleInvoice(world: StripeWorld, invoice: Invoice): Invoice {
  const { records } = world;
  const subscription = subscriptionOf(world, invoice);
  const paidAt = subscription ? clockOf(world, subscription) : invoice.created;
  if (invoice.amount_due > 0) {
    const { charge, intent, invoicePayment } = newPayment(invoice, paidAt);
    for (const one of [intent, charge, invoicePayment]) records.put(one);
  }
  const paid = records.put({
    ...invoice,
    amount_paid: invoice.amount_due,
    amount_remaining: 0,
    attempt_count: invoice.attempt_count + 1,
    attempted: true,
    auto_advance: false,
    next_payment_attempt: null,
    status: 'paid',
    status_transitions: { ...invoice.status_transitions, paid_at: paidAt },
  });
  emit(world, 'invoice.paid', paid);
  return paid;
}

const secondsBetweenAttempts = 3 * 86_400;

export function failInvoice(world: StripeWorld, invoice: Invoice, now: number): Invoice {
  const failed = world.records.put({
    ...invoice,
    attempt_count: invoice.attempt_count + 1,
    attempted: true,
    next_payment_attempt: now + secondsBetweenAttempts,
  });
  emit(world, 'invoice.payment_failed', failed);
  return failed;
}
