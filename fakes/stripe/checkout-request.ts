/** Validates a request for a checkout session. */
import * as z from 'zod';
import { Flag, Metadata } from './discounts.ts';

const whole = z
  .string()
  .regex(/^\d{1,12}$/)
  .transform(Number);

const PriceData = z.strictObject({
  currency: z
    .string()
    .regex(/^[a-zA-Z]{3}$/)
    .toLowerCase(),
  unit_amount: whole,
  recurring: z.strictObject({
    interval: z.enum(['month', 'year']),
    interval_count: z.literal('1').default('1').transform(Number),
  }),
  product_data: z.strictObject({
    name: z.string().min(1),
    description: z.string().min(1).optional(),
    metadata: Metadata,
  }),
});

export type PriceData = z.output<typeof PriceData>;

const Discount = z
  .strictObject({ coupon: z.string().optional(), promotion_code: z.string().optional() })
  .refine((discount) => (discount.coupon === undefined) !== (discount.promotion_code === undefined));

/** A hosted page for one subscription with an inline price. */
export const CheckoutRequest = z
  .strictObject({
    mode: z.literal('subscription'),
    ui_mode: z.literal('hosted_page').optional(),
    line_items: z.tuple([z.strictObject({ price_data: PriceData, quantity: whole.pipe(z.number().min(1)) })]),
    success_url: z.url().max(5000),
    cancel_url: z.url().max(5000).optional(),
    client_reference_id: z.string().max(200).optional(),
    customer: z.string().optional(),
    customer_email: z
      .string()
      .regex(/^[^@ ]+@[^@ ]+$/)
      .max(800)
      .optional(),
    metadata: Metadata,
    subscription_data: z
      .strictObject({ metadata: Metadata, description: z.string().max(500).optional() })
      .default({ metadata: {} }),
    allow_promotion_codes: Flag.optional(),
    discounts: z.array(Discount).max(1).optional(),
    expires_at: whole.optional(),
    locale: z.enum(['auto', 'en', 'pt', 'pt-BR']).optional(),
    payment_method_types: z.tuple([z.literal('card')]).optional(),
    adaptive_pricing: z.strictObject({ enabled: z.literal('false') }).optional(),
    payment_method_collection: z.literal('always').optional(),
  })
  .refine((request) => request.customer === undefined || request.customer_email === undefined, {
    path: ['customer_email'],
    message: 'You may only specify one of these parameters: customer, customer_email.',
  })
  .refine((request) => request.discounts === undefined || request.allow_promotion_codes === undefined, {
    path: ['discounts'],
    message: 'You may only specify one of these parameters: allow_promotion_codes, discounts.',
  });

export type CheckoutRequest = z.output<typeof CheckoutRequest>;
