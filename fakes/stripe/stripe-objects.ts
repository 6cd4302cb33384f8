/** The sandbox's objects: the fields of the pinned version of the API that the service and the pages read. */
import type Stripe from 'stripe';
import type { Words } from '../words.ts';

export type Charge = Pick<
  Stripe.Charge,
  Words<'id object amount amount_refunded created currency disputed paid refunded status'>
> & { readonly customer: string; readonly payment_intent: string };

export type Coupon = Pick<Stripe.Coupon, Words<'id object amount_off created currency duration name percent_off'>>;

export type Customer = Pick<Stripe.Customer, Words<'id object created email'>>;

export type Dispute = Pick<Stripe.Dispute, Words<'id object amount created currency status'>> & {
  readonly charge: string;
  readonly payment_intent: string;
};

export type InvoicePayment = Pick<Stripe.InvoicePayment, Words<'id object amount_paid created currency status'>> & {
  readonly invoice: string;
  readonly payment: { readonly type: 'payment_intent'; readonly payment_intent: string };
};

export type PaymentIntent = Pick<Stripe.PaymentIntent, Words<'id object amount created currency status'>> & {
  readonly latest_charge: string;
};

export type PromotionCode = Pick<Stripe.PromotionCode, Words<'id object active code created metadata'>> & {
  readonly promotion: { readonly type: 'coupon'; readonly coupon: string };
};

export type Session = Pick<
  Stripe.Checkout.Session,
  Words<
    | 'id object amount_subtotal amount_total cancel_url client_reference_id created currency'
    | 'customer_email expires_at metadata mode payment_status status success_url url'
  >
> & { readonly customer: string | null; readonly subscription: string | null };

interface Period {
  readonly start: number;
  readonly end: number;
}

export type Invoice = Pick<
  Stripe.Invoice,
  Words<'id object amount_due amount_paid billing_reason created currency number status'>
> & {
  readonly customer: string;
  readonly lines: {
    readonly data: readonly [
      {
        readonly period: Period;
        readonly parent: { readonly subscription_item_details: { readonly proration: boolean } };
      },
    ];
  };
  readonly parent: { readonly subscription_details: { readonly subscription: string } };
  readonly status_transitions: { readonly paid_at: number | null };
};

export type Subscription = Pick<
  Stripe.Subscription,
  Words<
    | 'id object billing_cycle_anchor cancel_at cancel_at_period_end canceled_at created currency ended_at'
    | 'metadata status'
  >
> & {
  readonly customer: string;
  readonly items: {
    readonly data: readonly [
      {
        readonly current_period_start: number;
        readonly current_period_end: number;
        readonly price: {
          readonly unit_amount: number;
          readonly recurring: { readonly interval: 'month' | 'year' };
        };
      },
    ];
  };
};

export type StripeEvent = Pick<Stripe.EventBase, Words<'id object api_version created data livemode type'>>;

/** The type of each object, by the value of its field `object`. */
export interface StripeObjects {
  charge: Charge;
  'checkout.session': Session;
  coupon: Coupon;
  customer: Customer;
  dispute: Dispute;
  event: StripeEvent;
  invoice: Invoice;
  invoice_payment: InvoicePayment;
  payment_intent: PaymentIntent;
  promotion_code: PromotionCode;
  subscription: Subscription;
}

export type StripeObject = StripeObjects[keyof StripeObjects];

/** The only item of a subscription. */
export const itemOf = ({ items }: Subscription) => items.data[0];
