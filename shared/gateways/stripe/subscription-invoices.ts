/** Reads the paid invoices of a subscription, with the refunds of each. */
import type * as z from 'zod';
import { earliestClaim } from '../../platform/claimed-time.ts';
import { workLimit } from '../../platform/work-limit.ts';
import { UnexpectedResponse } from '../parse-response.ts';
import type { PaidInvoice as ReportedInvoice } from '../subscription-gateway.ts';
import { parseStripe, type StripeClient } from './stripe-client.ts';
import { Charge, Dispute, InvoicePayment, PaidInvoice, type Subscription } from './stripe-objects.ts';

interface Returned {
  /** What was refunded, and what was lost in disputes. */
  readonly cents: number;
  readonly isDisputed: boolean;
}

/** Statuses of undecided disputes, and of inquiries that may become disputes. */
const undecided = ['needs_response', 'under_review', 'warning_needs_response', 'warning_under_review'];

async function disputesOf(client: StripeClient, { id, disputed }: Charge): Promise<readonly Dispute[]> {
  if (!disputed) return [];
  const disputes = await Array.fromAsync(client.list('/v1/disputes', { charge: id }));
  return disputes.map((one) => parseStripe(Dispute, one));
}

async function paymentsOf(client: StripeClient, { id, payments }: PaidInvoice): Promise<readonly InvoicePayment[]> {
  const all = payments.has_more
    ? (await Array.fromAsync(client.list('/v1/invoice_payments', { invoice: id }))).map((one) =>
        parseStripe(InvoicePayment, one),
      )
    : payments.data;
  return all.filter(({ status }) => status === 'paid');
}

/** The successful charges of a customer, and their disputes, each of which is read once. */
interface Charges {
  /** The charges of payments; those that were recorded manually have none, and cannot be refunded. @throws {Error} */
  of(payments: readonly InvoicePayment[]): readonly Charge[];
  disputesOf(charge: Charge): Promise<readonly Dispute[]>;
}

/** More charges of a subscription than could ever be disputed: each is looked up. */
const mostDisputed = 100;

function chargesIn(client: StripeClient, listed: readonly Charge[]): Charges {
  const succeeded = listed.filter(({ status }) => status === 'succeeded');
  const byIntent = Map.groupBy(succeeded, ({ payment_intent: intent }) => intent);
  const byId = Map.groupBy(succeeded, ({ id }) => id);
  const disputes = new Map<string, Promise<readonly Dispute[]>>();
  return {
    of(payments) {
      const intents = new Set(payments.map(({ payment }) => payment.payment_intent).filter(Boolean));
      const single = payments.filter(({ payment }) => !payment.payment_intent).map(({ payment }) => payment.charge);
      const found = [
        ...[...intents].map((intent) => byIntent.get(intent)),
        ...[...new Set(single.filter(Boolean))].map((id) => byId.get(id ?? '')),
      ];
      if (found.includes(undefined)) throw new UnexpectedResponse('Stripe reports a paid invoice without its charge');
      return [...new Set(found.flatMap((some) => some ?? []))];
    },
    disputesOf(charge) {
      const known = disputes.get(charge.id);
      if (known) return known;
      if (charge.disputed && disputes.size >= mostDisputed)
        throw new UnexpectedResponse('Stripe reports too many disputed charges of a subscription');
      const read = disputesOf(client, charge);
      if (charge.disputed) disputes.set(charge.id, read);
      return read;
    },
  };
}

/** Only the money of lost disputes is gone for good. All of it is, if its amount is in another currency. */
const lostIn = (disputes: readonly Dispute[], { amount_paid: paid, currency }: PaidInvoice): number =>
  disputes
    .filter(({ status }) => status === 'lost')
    .reduce((sum, lost) => sum + (lost.currency === currency ? lost.amount : paid), 0);

async function returnedOf(
  invoice: PaidInvoice,
  payments: readonly InvoicePayment[],
  charges: Charges,
): Promise<Returned> {
  const own = charges.of(payments);
  const disputes: Dispute[] = [];
  for (const charge of own) disputes.push(...(await charges.disputesOf(charge)));
  return {
    cents: own.reduce((sum, { amount_refunded: refunded }) => sum + refunded, lostIn(disputes, invoice)),
    isDisputed: disputes.some(({ status }) => undecided.includes(status)),
  };
}

/** The period that was bought; an invoice may also have lines for changes within a period. */
function periodOf({ lines }: PaidInvoice): { readonly start: number; readonly end: number } {
  const regular = lines.data.filter(({ parent }) => parent?.subscription_item_details?.proration === false);
  const periods = (regular.length > 0 ? regular : lines.data).map(({ period }) => period);
  return {
    start: Math.min(...periods.map(({ start }) => start)),
    end: Math.max(...periods.map(({ end }) => end)),
  };
}

/**
 * The farthest plausible end of a period: periods are paid in advance for at most a year, and can be moved at the
 * gateway.
 */
const farthestMs = 3 * 366 * 24 * 3_600_000;

/** Rejects an invoice with an implausible period, which would grant credits or features at wrong times. */
function requirePeriod(start: number, end: number, now: number): void {
  if (start < earliestClaim || end <= start || end > now + farthestMs)
    throw new UnexpectedResponse('Stripe reports a paid invoice with an implausible period');
}

function reported(invoice: PaidInvoice, returned: Returned, now: number): ReportedInvoice {
  const { amount_paid: cents, status_transitions: transitions } = invoice;
  const { start, end } = periodOf(invoice);
  requirePeriod(start * 1000, end * 1000, now);
  const refundedCents = Math.min(returned.cents, cents);
  return {
    invoiceId: invoice.id,
    cents,
    currency: invoice.currency,
    periodStart: Math.trunc(start * 1000),
    periodEnd: Math.trunc(end * 1000),
    // The time of payment never invalidates an invoice; an impossible one is replaced.
    paidAt: transitions.paid_at.pastBy(now) ?? Math.min(now, Math.trunc(start * 1000)),
    refundedCents,
    isRefunded: cents > 0 && refundedCents === cents,
    isDisputed: returned.isDisputed,
  };
}

/** Reads the objects of a list, each once even if the list repeats it. @throws {Error} */
async function distinct<Schema extends z.ZodType<{ readonly id: string }>>(
  schema: Schema,
  listed: AsyncIterable<unknown>,
): Promise<z.output<Schema>[]> {
  const all = (await Array.fromAsync(listed)).map((one) => parseStripe(schema, one));
  return [...new Map(all.map((one) => [one.id, one])).values()];
}

/** How many invoices are looked at concurrently. */
const invoicesAtOnce = 8;

/** Reads the invoices, oldest first. @throws {Error} */
export async function paidInvoicesOf(client: StripeClient, subscription: Subscription): Promise<ReportedInvoice[]> {
  const filter = { subscription: subscription.id, status: 'paid', expand: ['data.payments'] };
  const invoices = await distinct(PaidInvoice, client.list('/v1/invoices', filter));
  if (invoices.length === 0) return [];
  // Each checkout creates a customer of its own, so the customer's charges are those of this subscription.
  const listed = await distinct(Charge, client.list('/v1/charges', { customer: subscription.customer }));
  const charges = chargesIn(client, listed);
  const fewAtOnce = workLimit(invoicesAtOnce);
  const all = await Promise.all(
    invoices.map((invoice) =>
      fewAtOnce(async () => {
        const returned = await returnedOf(invoice, await paymentsOf(client, invoice), charges);
        return reported(invoice, returned, client.now());
      }),
    ),
  );
  return all.sort((one, other) => one.periodStart - other.periodStart || one.paidAt - other.paidAt);
}
