/** Types of the sandbox's objects, as the pinned version of the API sends them. */
import type Stripe from 'stripe';

/** Decimals are text in the API; only Stripe's client converts them. */
type OnWire<Value> = Value extends Stripe.Decimal
  ? string
  : Value extends string
    ? Value
    : Value extends readonly (infer Item)[]
      ? OnWire<Item>[]
      : Value extends object
        ? { [Name in keyof Value]: OnWire<Value[Name]> }
        : Value;

export type Charge = Stripe.Charge;
export type Coupon = Stripe.Coupon;
export type Customer = Stripe.Customer;
export type Discount = Stripe.Discount;
export type Dispute = Stripe.Dispute;
export type Invoice = OnWire<Stripe.Invoice>;
export type InvoicePayment = Stripe.InvoicePayment;
export type PaymentIntent = Stripe.PaymentIntent;
export type Price = OnWire<Stripe.Price>;
export type Product = Stripe.Product;
export type PromotionCode = Stripe.PromotionCode;
export type Refund = Stripe.Refund;
export type Session = Stripe.Checkout.Session;
export type Subscription = OnWire<Stripe.Subscription>;
export type StripeEvent = OnWire<Stripe.EventBase>;

/** Objects by the value of their field `object`. */
export interface StripeObjects {
  charge: Charge;
  'checkout.session': Session;
  coupon: Coupon;
  customer: Customer;
  discount: Discount;
  dispute: Dispute;
  event: StripeEvent;
  invoice: Invoice;
  invoice_payment: InvoicePayment;
  payment_intent: PaymentIntent;
  price: Price;
  product: Product;
  promotion_code: PromotionCode;
  refund: Refund;
  subscription: Subscription;
}

export type StripeObject = StripeObjects[keyof StripeObjects];

/** The id of an object that is given by id or expanded; empty if there is none. */
export const idOf = (reference: string | { readonly id: string } | null | undefined): string =>
  typeof reference === 'object' ? (reference?.id ?? '') : (reference ?? '');
