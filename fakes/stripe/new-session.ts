/** Builds a new checkout session. */
import type { Session } from './stripe-objects.ts';
import { newId } from './stripe-records.ts';

export interface SessionContent
  extends Pick<
    Session,
    | 'allow_promotion_codes'
    | 'cancel_url'
    | 'client_reference_id'
    | 'created'
    | 'currency'
    | 'customer'
    | 'customer_email'
    | 'discounts'
    | 'expires_at'
    | 'locale'
    | 'metadata'
    | 'success_url'
  > {
  readonly subtotal: number;
  readonly discount: number;
}

const unused = {
  adaptive_pricing: null,
  after_expiration: null,
  allowed_payment_method_types: null,
  automatic_tax: { enabled: false, liability: null, provider: null, status: null },
  billing_address_collection: null,
  client_secret: null,
  collected_information: null,
  consent: null,
  consent_collection: null,
  currency_conversion: null,
  custom_fields: [],
  custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
  customer_account: null,
  customer_creation: null,
  customer_details: null,
  integration_identifier: null,
  invoice: null,
  invoice_creation: null,
  livemode: false,
  managed_payments: { enabled: false },
  origin_context: null,
  payment_intent: null,
  payment_link: null,
  payment_method_configuration_details: null,
  payment_method_options: null,
  permissions: null,
  phone_number_collection: { enabled: false },
  recovered_from: null,
  saved_payment_method_options: null,
  setup_intent: null,
  shipping_address_collection: null,
  shipping_cost: null,
  shipping_options: [],
  submit_type: null,
  subscription: null,
  wallet_options: null,
} satisfies Partial<Session>;

export const totalsOf = (subtotal: number, discount: number) => ({
  amount_subtotal: subtotal,
  amount_total: subtotal - discount,
  total_details: { amount_discount: discount, amount_shipping: 0, amount_tax: 0 },
});

export function newSession(
  { subtotal, discount, ...content }: SessionContent,
  pageUrl: (id: string) => string,
): Session {
  const id = newId('cs_test');
  return {
    ...unused,
    ...content,
    ...totalsOf(subtotal, discount),
    id,
    object: 'checkout.session',
    mode: 'subscription',
    payment_method_collection: 'always',
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    status: 'open',
    ui_mode: 'hosted_page',
    url: pageUrl(id),
  };
}
