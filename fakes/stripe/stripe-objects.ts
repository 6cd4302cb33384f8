/** The objects that the sandbox knows, as the pinned version of the API sends them. */
import type Stripe from 'stripe';

/** What Stripe's client turns into decimals is text in the API. */
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

/** By what they call themselves. */
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

/** Of an object that is named or expanded; empty if there is none. */
export const idOf = (reference: string | { readonly id: string } | null | undefined): string =>
  typeof reference === 'object' ? (reference?.id ?? '') : (reference ?? '');
