/** Which months of paid invoices are granted, and which are withheld because of disputes and partial refunds. */
import type { Invoice } from '../../../shared/domain/billing/subscriptions/subscription.ts';
import type { PaidInvoice } from '../../../shared/gateways/subscription-gateway.ts';
import { type ActualCheckout, monthsLater } from '../../support/actual-checkout.ts';
import type { Seen } from './seen-checkout.ts';

export interface SeenInvoice extends Invoice {
  readonly isCanceled: boolean;
}

/** The number of months of an invoice's period that have begun. */
export function monthsBegun({ request }: ActualCheckout, { periodStart }: PaidInvoice, now: number): number {
  if (request.billingCycle === 'monthly') return 1;
  const later = Array.from({ length: 11 }, (_, index) => monthsLater(periodStart, index + 1));
  return 1 + later.filter((start) => start <= now).length;
}

/** How many months of a year the part of the price that was not refunded pays for, if at least half of the last one. */
const monthsKept = ({ cents, refundedCents }: Pick<Invoice, 'cents' | 'refundedCents'>): number =>
  Array.from({ length: 12 }, (_, index) => index + 0.5).filter(
    (months) => months * cents <= 12 * (cents - refundedCents),
  ).length;

/** How many months of an invoice that was not refunded must be granted; further ones may have been granted earlier. */
export function monthsOwed(checkout: ActualCheckout, invoice: PaidInvoice, now: number): number {
  if (invoice.isDisputed) return 1;
  const begun = monthsBegun(checkout, invoice, now);
  const { isEnding, status } = checkout.subscription ?? {};
  const isCut = (status === 'canceled' || isEnding) && invoice.refundedCents > 0;
  return isCut ? Math.max(1, Math.min(begun, monthsKept(invoice))) : begun;
}

/** No month is granted while the service knows that it is to be withheld. */
export function* released({ invoices, subscription }: Seen, lastSeen: Map<string, SeenInvoice>): Generator<string> {
  for (const invoice of invoices) {
    const { invoiceId, granted, disputes, isDisputed } = invoice;
    const before = lastSeen.get(invoiceId);
    if (before && granted > before.granted) {
      if (before.isDisputed && isDisputed && before.disputes === disputes) yield 'a month is granted during a dispute';
      if (before.isCanceled && before.refundedCents > 0 && granted > monthsKept(invoice))
        yield 'a month is granted whose price was refunded';
    }
    const isCanceled = subscription?.status === 'canceled' || subscription?.isEnding === true;
    lastSeen.set(invoiceId, { ...invoice, isCanceled });
  }
}
