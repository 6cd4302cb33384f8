/** Builds an unpaid invoice for a period of a subscription. */
import { type Invoice, idOf, type Subscription } from './stripe-objects.ts';
import { newId } from './stripe-records.ts';

export interface InvoiceContent {
  readonly subscription: Subscription;
  /** The creation time, in seconds since the epoch. */
  readonly created: number;
  readonly subtotal: number;
  readonly discounts: readonly { readonly id: string; readonly amount: number }[];
  readonly description: string;
  readonly email: string | null;
  readonly number: string;
  /** The start of the previous period; undefined for the first one. */
  readonly previousStart: number | undefined;
}

type Line = Invoice['lines']['data'][number];

function lineOf(invoiceId: string, { subscription, subtotal, discounts, description }: InvoiceContent): Line {
  const [item] = subscription.items.data;
  if (!item) throw new Error(`${subscription.id} has no items`);
  return {
    id: newId('il'),
    object: 'line_item',
    amount: subtotal,
    currency: subscription.currency,
    description,
    discount_amounts: discounts.map(({ id, amount }) => ({ amount, discount: id })),
    discountable: true,
    discounts: discounts.map(({ id }) => id),
    invoice: invoiceId,
    livemode: false,
    metadata: subscription.metadata,
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: false,
        proration_details: null,
        subscription: subscription.id,
        subscription_item: item.id,
      },
      type: 'subscription_item_details',
    },
    period: { end: item.current_period_end, start: item.current_period_start },
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: item.price.id, product: idOf(item.price.product) },
      type: 'price_details',
      unit_amount_decimal: item.price.unit_amount_decimal,
    },
    quantity: item.quantity ?? 1,
    quantity_decimal: String(item.quantity ?? 1),
    subscription: subscription.id,
    subtotal,
    taxes: [],
  };
}

const unused = {
  account_country: 'BR',
  account_name: 'Sandbox',
  account_tax_ids: null,
  amount_overpaid: 0,
  amount_shipping: 0,
  application: null,
  automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
  automatically_finalizes_at: null,
  collection_method: 'charge_automatically',
  custom_fields: null,
  customer_account: null,
  customer_address: null,
  customer_name: null,
  customer_phone: null,
  customer_shipping: null,
  customer_tax_exempt: 'none',
  default_payment_method: null,
  default_source: null,
  default_tax_rates: [],
  description: null,
  due_date: null,
  ending_balance: 0,
  footer: null,
  from_invoice: null,
  hosted_invoice_url: null,
  invoice_pdf: null,
  issuer: { type: 'self' },
  last_finalization_error: null,
  latest_revision: null,
  livemode: false,
  metadata: {},
  next_payment_attempt: null,
  on_behalf_of: null,
  payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
  post_payment_credit_notes_amount: 0,
  pre_payment_credit_notes_amount: 0,
  receipt_number: null,
  rendering: null,
  shipping_cost: null,
  shipping_details: null,
  starting_balance: 0,
  statement_descriptor: null,
  test_clock: null,
  total_pretax_credit_amounts: [],
  total_taxes: [],
  webhooks_delivered_at: null,
} satisfies Partial<Invoice>;

const amountsOf = ({ subtotal, discounts }: InvoiceContent) => {
  const total = subtotal - discounts.reduce((sum, { amount }) => sum + amount, 0);
  return {
    amount_due: total,
    amount_paid: 0,
    amount_remaining: total,
    discounts: discounts.map(({ id }) => id),
    subtotal,
    subtotal_excluding_tax: subtotal,
    total,
    total_discount_amounts: discounts.map(({ id, amount }) => ({ amount, discount: id })),
    total_excluding_tax: total,
  };
};

/** Builds an invoice. Its own period is the previous one; its line has the period that is paid for. */
export function newInvoice(content: InvoiceContent): Invoice {
  const { subscription, created, previousStart, email, number } = content;
  const id = newId('in');
  return {
    ...unused,
    ...amountsOf(content),
    id,
    object: 'invoice',
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    billing_reason: previousStart === undefined ? 'subscription_create' : 'subscription_cycle',
    created,
    currency: subscription.currency,
    customer: subscription.customer,
    customer_email: email,
    effective_at: created,
    lines: { object: 'list', data: [lineOf(id, content)], has_more: false, url: `/v1/invoices/${id}/lines` },
    number,
    parent: {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: 'subscription_details',
    },
    period_end: created,
    period_start: previousStart ?? created,
    status: 'open',
    status_transitions: { finalized_at: created, marked_uncollectible_at: null, paid_at: null, voided_at: null },
  };
}
