/** Builds the subscription that a completed checkout creates. */
import type { Price, Subscription } from './stripe-objects.ts';
import { newId } from './stripe-records.ts';

export interface SubscriptionContent {
  /** The start of the subscription, in seconds since the epoch. */
  readonly start: number;
  readonly end: number;
  readonly price: Price;
  readonly quantity: number;
  readonly customerId: string;
  readonly discountIds: readonly string[];
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

type Item = Subscription['items']['data'][number];

const planOf = (price: Price): Item['plan'] => ({
  id: price.id,
  object: 'plan',
  active: price.active,
  amount: price.unit_amount,
  amount_decimal: price.unit_amount_decimal,
  billing_scheme: price.billing_scheme,
  created: price.created,
  currency: price.currency,
  interval: price.recurring?.interval ?? 'month',
  interval_count: price.recurring?.interval_count ?? 1,
  livemode: false,
  metadata: price.metadata,
  meter: null,
  nickname: null,
  product: price.product,
  tiers_mode: null,
  transform_usage: null,
  trial_period_days: null,
  usage_type: 'licensed',
});

const itemOf = (subscriptionId: string, { start, end, price, quantity }: SubscriptionContent): Item => ({
  id: newId('si'),
  object: 'subscription_item',
  billing_thresholds: null,
  created: start,
  current_period_end: end,
  current_period_start: start,
  current_trial: null,
  discounts: [],
  metadata: {},
  plan: planOf(price),
  price,
  quantity,
  subscription: subscriptionId,
  tax_rates: [],
});

const unused = {
  application: null,
  application_fee_percent: null,
  automatic_tax: { disabled_reason: null, enabled: false, liability: null },
  billing_cycle_anchor_config: null,
  billing_mode: { flexible: null, type: 'classic' },
  billing_schedules: [],
  billing_thresholds: null,
  cancel_at: null,
  cancel_at_period_end: false,
  canceled_at: null,
  cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
  collection_method: 'charge_automatically',
  customer_account: null,
  days_until_due: null,
  default_source: null,
  default_tax_rates: [],
  ended_at: null,
  invoice_settings: {
    account_tax_ids: null,
    custom_fields: null,
    description: null,
    footer: null,
    issuer: { type: 'self' },
  },
  latest_invoice: null,
  livemode: false,
  managed_payments: { enabled: false },
  next_pending_invoice_item_invoice: null,
  on_behalf_of: null,
  pause_collection: null,
  payment_settings: { payment_method_options: null, payment_method_types: null, save_default_payment_method: 'off' },
  pending_invoice_item_interval: null,
  pending_setup_intent: null,
  pending_update: null,
  schedule: null,
  test_clock: null,
  transfer_data: null,
  trial_end: null,
  trial_settings: { end_behavior: { billing_cycle_anchor: null, missing_payment_method: 'create_invoice' } },
  trial_start: null,
} satisfies Partial<Subscription>;

export function newSubscription(content: SubscriptionContent): Subscription {
  const id = newId('sub');
  return {
    ...unused,
    id,
    object: 'subscription',
    billing_cycle_anchor: content.start,
    created: content.start,
    currency: content.price.currency,
    customer: content.customerId,
    default_payment_method: newId('pm'),
    description: content.description,
    discounts: [...content.discountIds],
    items: {
      object: 'list',
      data: [itemOf(id, content)],
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    metadata: { ...content.metadata },
    start_date: content.start,
    status: 'active',
  };
}
