/** Builds the customer that a completed checkout creates. */
import type { Customer } from './stripe-objects.ts';
import { newId } from './stripe-records.ts';

export const newCustomer = (email: string, created: number): Customer => ({
  id: newId('cus'),
  object: 'customer',
  balance: 0,
  created,
  default_source: null,
  delinquent: false,
  description: null,
  email,
  invoice_settings: {
    custom_fields: null,
    default_payment_method: null,
    footer: null,
    rendering_options: null,
  },
  livemode: false,
  metadata: {},
  name: null,
  phone: null,
  preferred_locales: [],
  shipping: null,
  tax_exempt: 'none',
  test_clock: null,
});
