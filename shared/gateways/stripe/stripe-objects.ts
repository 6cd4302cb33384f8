/**
 * Schemas of Stripe's objects in the pinned version of the API, limited to the fields that the service reads. Times are
 * in seconds.
 */
import * as z from 'zod';
import { claimedTime } from '../../platform/claimed-time.ts';
import { currencyField } from '../outside-fields.ts';

export const objectId = z.string().regex(/^[\x21-\x7e]{1,255}$/);
const id = objectId;
/** A time that must be in the past. */
const seconds = z.number().transform((time) => claimedTime(time * 1000));
/** A time that may be in the future. */
const moment = z.number();
/** An amount in cents; an implausible one makes the object unreadable. */
const cents = z.int().min(0).max(1_000_000_000_000);

/** The name of the metadata field that contains the reference of sessions and subscriptions. */
export const referenceName = 'order';

/** The name of the metadata field that identifies the stage that created a promotion code. */
export const makerName = 'generation';

/** The service's own fields only. */
const Metadata = z.object({ [referenceName]: z.string().optional(), [makerName]: z.string().optional() });

/** The most objects within another one; Stripe includes at most 100. */
const mostIncluded = 100;

export const Session = z.object({
  id,
  created: seconds,
  status: z.enum(['open', 'complete', 'expired']),
  mode: z.string().nullish(),
  client_reference_id: z.string().nullish(),
  subscription: id.nullish(),
});

export type Session = z.output<typeof Session>;

/** The address of a checkout, which is stored and opened by browsers. */
const checkoutUrl = z
  .url({ protocol: /^https?$/ })
  .max(4000)
  .regex(/^[\x21-\x7e]+$/);

/** A new session; older ones no longer have a URL. */
export const OpenSession = z.object({ id, url: checkoutUrl, amount_total: cents, currency: currencyField });

export const Subscription = z.object({
  id,
  created: seconds,
  status: z.enum([
    'active',
    'canceled',
    'incomplete',
    'incomplete_expired',
    'past_due',
    'paused',
    'trialing',
    'unpaid',
  ]),
  metadata: Metadata.nullish(),
  customer: id,
  cancel_at: moment.nullish(),
  cancel_at_period_end: z.boolean(),
  items: z.object({ data: z.array(z.object({ current_period_end: moment })).max(mostIncluded) }),
});

export type Subscription = z.output<typeof Subscription>;

/** A payment, or an attempted one, for an invoice. */
export const InvoicePayment = z.object({
  id,
  status: z.string(),
  invoice: id,
  payment: z.object({ type: z.string(), payment_intent: id.nullish(), charge: id.nullish() }),
});

export type InvoicePayment = z.output<typeof InvoicePayment>;

const Period = z.object({ start: moment, end: moment });

const InvoiceLine = z.object({
  period: Period,
  parent: z.object({ subscription_item_details: z.object({ proration: z.boolean() }).nullish() }).nullish(),
});

const ofSubscription = z.object({ subscription_details: z.object({ subscription: id }).nullish() });

export const Invoice = z.object({ id, created: seconds, parent: ofSubscription.nullish() });

export const PaidInvoice = z.object({
  id,
  amount_paid: cents,
  currency: currencyField,
  lines: z.object({ data: z.array(InvoiceLine).min(1).max(mostIncluded) }),
  status_transitions: z.object({ paid_at: seconds }),
  payments: z.object({ data: z.array(InvoicePayment).max(mostIncluded), has_more: z.boolean() }),
});

export type PaidInvoice = z.output<typeof PaidInvoice>;

export const Charge = z.object({
  id,
  created: seconds,
  status: z.string(),
  amount_refunded: cents,
  disputed: z.boolean(),
  payment_intent: id.nullish(),
});

export type Charge = z.output<typeof Charge>;

export const PaymentIntent = z.object({ id, created: seconds });

export const Dispute = z.object({ id, charge: id, status: z.string(), amount: cents, currency: currencyField });

export type Dispute = z.output<typeof Dispute>;

export const PromotionCode = z.object({
  id,
  promotion: z.object({ coupon: id.nullish() }),
  metadata: Metadata.nullish(),
});

export type PromotionCode = z.output<typeof PromotionCode>;

export const PromotionCodes = z.object({ data: z.array(PromotionCode).max(100) });

export const Event = z.object({
  id: z.string().regex(/^evt_\w{1,120}$/),
  type: z.string(),
  livemode: z.boolean(),
  data: z.object({ object: z.unknown() }),
});
