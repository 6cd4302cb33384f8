/** The facts about a checkout that gateway and service know, and the invoices and cases that result. */
import type { LedgerRow } from '../../../shared/domain/accounts/ledger.ts';
import type { BillingCase, CaseKind } from '../../../shared/domain/billing/cases/billing-case.ts';
import type { Order } from '../../../shared/domain/billing/orders/order.ts';
import type { Invoice, Subscription } from '../../../shared/domain/billing/subscriptions/subscription.ts';
import type { PaidInvoice } from '../../../shared/gateways/subscription-gateway.ts';
import { type ActualCheckout, agreedCents } from '../../support/actual-checkout.ts';
import { soldPlans } from './subscription-world.ts';

export interface Seen {
  readonly now: number;
  readonly checkout: ActualCheckout;
  readonly order: Order | undefined;
  readonly subscription: Subscription | undefined;
  /** The invoices that are stored. */
  readonly invoices: readonly Invoice[];
  readonly rows: readonly LedgerRow[];
  readonly cases: readonly BillingCase[];
}

export const planOf = ({ request }: ActualCheckout) => soldPlans.find(({ id }) => id === request.planId);

export const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

export const invoicesOf = ({ subscription }: ActualCheckout): readonly PaidInvoice[] => subscription?.invoices ?? [];

export const isAgreed = ({ request }: ActualCheckout, { cents, currency }: PaidInvoice, index: number): boolean =>
  cents === agreedCents(request, index) && currency === 'BRL';

export const has = ({ cases }: Seen, kind: CaseKind, { invoiceId }: PaidInvoice): boolean =>
  cases.some((one) => one.kind === kind && one.paymentId === invoiceId);

export const isOpen = ({ cases }: Seen, kind: CaseKind, { invoiceId }: PaidInvoice): boolean =>
  cases.some((one) => one.kind === kind && one.paymentId === invoiceId && one.resolvedAt === undefined);

/** Whether an invoice was refunded; an operator decides about changes after that. */
export const wasReturned = (seen: Seen, invoice: PaidInvoice): boolean =>
  invoice.isRefunded || has(seen, 'payment-after-refund', invoice);

/** The invoices that grant credits, whether they were refunded or not. */
export function agreedInvoices(checkout: ActualCheckout): readonly PaidInvoice[] {
  const invoices = invoicesOf(checkout);
  const [first] = invoices;
  if (!first || !isAgreed(checkout, first, 0)) return [];
  return invoices.filter((invoice, index) => isAgreed(checkout, invoice, index));
}

/** The invoices whose credits the account has. */
export function keptInvoices(seen: Seen): readonly PaidInvoice[] {
  const { checkout, rows } = seen;
  // If the first invoice was refunded before the service learned of it, there is no subscription to renew.
  const isVain = (invoice: PaidInvoice) => rows.length === 0 && has(seen, 'payment-of-canceled-order', invoice);
  return agreedInvoices(checkout).filter((invoice) => !wasReturned(seen, invoice) && !isVain(invoice));
}

const areOverlapping = (one: PaidInvoice, other: PaidInvoice): boolean =>
  one.periodStart < other.periodEnd && other.periodStart < one.periodEnd;

/** Cases stay open as long as they need a decision. */
export function* misfiled(seen: Seen): Generator<string> {
  const { checkout, cases, order } = seen;
  if (!order) return;
  const invoices = invoicesOf(checkout);
  for (const invoice of invoices) {
    if (invoice.isDisputed !== isOpen(seen, 'disputed-payment', invoice))
      yield invoice.isDisputed ? 'a dispute without an open case' : 'a case of a dispute outlives it';
    const own = cases.filter((one) => one.paymentId === invoice.invoiceId && one.resolvedAt === undefined);
    if (invoice.isRefunded && own.some(({ kind }) => kind !== 'used-credits'))
      yield 'a case outlives the return of its payment';
    const isAlone = !invoices.some((other) => other !== invoice && !other.isRefunded && areOverlapping(other, invoice));
    if (isAlone && own.some(({ kind }) => kind === 'overlapping-periods')) yield 'a case outlives what it overlaps';
  }
}
