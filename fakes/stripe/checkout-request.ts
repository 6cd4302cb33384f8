/** Validates a request for a checkout session: a hosted page for one subscription with an inline price. */
import * as z from 'zod';
import { Metadata } from './discounts.ts';

const whole = z
  .string()
  .regex(/^\d{1,12}$/)
  .transform(Number);

const LineItem = z.strictObject({
  quantity: z.literal('1'),
  price_data: z.strictObject({
    currency: z.literal('brl'),
    unit_amount: whole,
    recurring: z.strictObject({ interval: z.enum(['month', 'year']) }),
    product_data: z.strictObject({ name: z.string().min(1) }),
  }),
});

const Discount = z
  .strictObject({ coupon: z.string().optional(), promotion_code: z.string().optional() })
  .refine((discount) => (discount.coupon === undefined) !== (discount.promotion_code === undefined));

export const CheckoutRequest = z.strictObject({
  mode: z.literal('subscription'),
  line_items: z.tuple([LineItem]),
  success_url: z.url().max(5000),
  cancel_url: z.url().max(5000).optional(),
  client_reference_id: z.string().max(200).optional(),
  customer_email: z
    .string()
    .regex(/^[^@ ]+@[^@ ]+$/)
    .max(800)
    .optional(),
  metadata: Metadata,
  subscription_data: z.strictObject({ metadata: Metadata }).default({ metadata: {} }),
  discounts: z.array(Discount).max(1).optional(),
  expires_at: whole.optional(),
  payment_method_types: z.tuple([z.literal('card')]).optional(),
  adaptive_pricing: z.strictObject({ enabled: z.literal('false') }).optional(),
});

export type CheckoutRequest = z.output<typeof CheckoutRequest>;
