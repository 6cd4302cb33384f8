/** Builds a card payment for an invoice: an intent, its charge, and the object that links them to the invoice. */
import { type Charge, type Invoice, type InvoicePayment, idOf, type PaymentIntent } from './stripe-objects.ts';
import { newId } from './stripe-records.ts';

const unusedByCharge = {
  application: null,
  application_fee: null,
  application_fee_amount: null,
  balance_transaction: null,
  calculated_statement_descriptor: 'SANDBOX',
  disputed: false,
  failure_balance_transaction: null,
  failure_code: null,
  failure_message: null,
  fraud_details: {},
  livemode: false,
  metadata: {},
  on_behalf_of: null,
  outcome: null,
  payment_method_details: null,
  receipt_email: null,
  receipt_number: null,
  receipt_url: null,
  refunded: false,
  review: null,
  shipping: null,
  source: null,
  source_transfer: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  transfer_data: null,
  transfer_group: null,
} satisfies Partial<Charge>;

const unusedByIntent = {
  allowed_payment_method_types: null,
  amount_capturable: 0,
  application: null,
  application_fee_amount: null,
  automatic_payment_methods: null,
  canceled_at: null,
  cancellation_reason: null,
  capture_method: 'automatic',
  client_secret: null,
  confirmation_method: 'automatic',
  customer_account: null,
  excluded_payment_method_types: null,
  last_payment_error: null,
  livemode: false,
  managed_payments: null,
  metadata: {},
  next_action: null,
  on_behalf_of: null,
  payment_method_configuration_details: null,
  payment_method_options: null,
  payment_method_types: ['card'],
  payment_record: null,
  processing: null,
  receipt_email: null,
  review: null,
  setup_future_usage: 'off_session',
  shipping: null,
  source: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  transfer_group: null,
} satisfies Partial<PaymentIntent>;

export interface Payment {
  readonly intent: PaymentIntent;
  readonly charge: Charge;
  readonly invoicePayment: InvoicePayment;
}

function newCharge(intentId: string, invoice: Invoice, paidAt: number): Charge {
  return {
    ...unusedByCharge,
    id: newId('ch'),
    object: 'charge',
    amount: invoice.amount_due,
    amount_captured: invoice.amount_due,
    amount_refunded: 0,
    billing_details: { address: null, email: invoice.customer_email, name: null, phone: null, tax_id: null },
    captured: true,
    created: paidAt,
    currency: invoice.currency,
    customer: idOf(invoice.customer),
    description: 'Subscription',
    paid: true,
    payment_intent: intentId,
    payment_method: newId('pm'),
    status: 'succeeded',
  };
}

export function newPayment(invoice: Invoice, paidAt: number): Payment {
  const intentId = newId('pi');
  const charge = newCharge(intentId, invoice, paidAt);
  const { amount, currency, customer, payment_method } = charge;
  return {
    charge,
    intent: {
      ...unusedByIntent,
      id: intentId,
      object: 'payment_intent',
      amount,
      amount_received: amount,
      created: paidAt,
      currency,
      customer,
      description: charge.description,
      latest_charge: charge.id,
      payment_method,
      status: 'succeeded',
    },
    invoicePayment: {
      id: newId('inpay'),
      object: 'invoice_payment',
      amount_paid: amount,
      amount_requested: amount,
      created: paidAt,
      currency,
      invoice: invoice.id,
      is_default: true,
      livemode: false,
      payment: { payment_intent: intentId, type: 'payment_intent' },
      status: 'paid',
      status_transitions: { canceled_at: null, paid_at: paidAt },
    },
  };
}
