/** Operations by which accounts buy credits and read their orders. */
import * as z from 'zod';
import { Currency, credits, id, idOf, money, oneOf, page, paging, shortText, text, timestamp } from './fields.ts';
import { openOrdersLimit } from './limits.ts';
import { once } from './once.ts';
import type { OperationContract } from './operation.ts';
import { orderStatuses } from './order-statuses.ts';
import { pixCodeLimits } from './pix-code-limits.ts';
import { parseTaxId } from './tax-id.ts';

const orderTypes = ['pix_credit_pack', 'subscription'] as const;

/** How long a PIX charge can be paid. */
export const pixMinutes = 30;

/** How long the checkout of a subscription can be completed. */
export const checkoutHours = 12;

const taxIdExpectation = 'must be a CPF or CNPJ with valid check digits';
const emailExpectation = 'must be an email address of at most 254 characters';

/**
 * An email address: letters, digits and signs separated by dots; a label of the domain neither begins nor ends with a
 * hyphen.
 */
const emailForm =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+$/;

const isString = (expectation: string) => (issue: { input?: unknown }) =>
  issue.input === undefined ? 'is required' : expectation;

/** A CPF or CNPJ, normalized: a repeated request that differs only in punctuation counts as the same request. */
const taxId = () =>
  z
    .string({ error: isString(taxIdExpectation) })
    .refine((value) => parseTaxId(value) !== undefined, { error: taxIdExpectation })
    .overwrite((value) => parseTaxId(value)?.number ?? value)
    .meta({ maxLength: 18 });

const email = () =>
  z
    .string({ error: isString(emailExpectation) })
    .max(254, { error: emailExpectation })
    .regex(emailForm, { error: emailExpectation })
    .meta({ maxLength: 254 });

const Payer = once(() =>
  z
    .object(
      {
        name: text(1, 120)
          .regex(/\S/, { error: 'must contain a character that is not whitespace' })
          .describe('The full name; it must contain a character that is not whitespace.'),
        taxId: taxId().describe('The CPF or CNPJ, with or without punctuation; a CNPJ may contain letters.'),
        email: email().describe('The email address.'),
      },
      { error: 'must be an object' },
    )
    .meta({ id: 'Payer' })
    .describe(
      'The payer. It is passed on to the payment gateway and not stored; without it, the name and the email address of the account are passed on.',
    ),
);

const CreditOrderRequest = once(() =>
  z
    .object({
      packId: text(1, 200).describe('The id of a credit pack of `GET /api/v1/plans`.'),
      payer: Payer().optional(),
    })
    .meta({ id: 'CreditOrderRequest' }),
);

const PixCharge = once(() =>
  z
    .object({
      qrCode: shortText(pixCodeLimits.qrCode).describe('The text to copy into the app of a bank.'),
      qrCodeBase64: z
        .string()
        .meta({ maxLength: pixCodeLimits.qrCodeBase64 })
        .describe('The same text as a QR code: a PNG image in a data URL.'),
      expiresAt: timestamp().describe('When the charge expires.'),
    })
    .meta({ id: 'PixCharge' }),
);

const statusMeanings = [
  '`pending`: waiting for the payment.',
  '`paid`: the payment was confirmed and the credits were added; of a subscription, the first payment.',
  '`expired`: not paid in time; a late payment still makes it `paid`.',
  '`canceled`: canceled before it was paid, or paid while another subscription was active.',
  '`failed`: the payment failed, or its amount was wrong.',
  '`refunded`: the payment was returned, and its credits that were left were taken back; those in open tasks are if the tasks fail.',
].join(' ');

const OrderStatus = once(() => oneOf(orderStatuses).meta({ id: 'OrderStatus' }));

const Order = once(() =>
  z
    .object({
      id: id().describe('The id of the order.'),
      type: z.enum(orderTypes).describe('What was ordered.'),
      paymentMethod: shortText().describe('The payment gateway.'),
      status: OrderStatus().describe(statusMeanings),
      amount: money().describe('The price; of a subscription, that of the first period, less the discount.'),
      currency: Currency().describe('The currency of the price.'),
      credits: credits().describe('The credits that it includes; of a subscription, those of a month.'),
      planId: shortText().describe('The id of the pack or plan.'),
      planName: shortText().nullable().describe('The display name of the plan; null for a pack.'),
      billingInterval: shortText().nullable().describe('How often a plan is billed; null for a pack.'),
      packName: shortText().describe('The display name of the pack or plan.'),
      createdAt: timestamp().describe('When the order was created.'),
      paidAt: timestamp().nullable().describe('When its payment was confirmed.'),
      canceledAt: timestamp().nullable().describe('When it was canceled.'),
      pix: PixCharge().nullable().describe('How to pay by PIX; null for a subscription.'),
    })
    .meta({ id: 'Order', description: 'A purchase.' }),
);

const OrderList = once(() =>
  z
    .object({ orders: z.array(Order()).max(100).describe('Newest first.'), ...page() })
    .meta({ id: 'OrderList', description: 'A page of orders.' }),
);

const orderParams = once(() => z.object({ orderId: idOf('order').describe('The id of the order.') }));
const orderQuery = once(() =>
  z.object({ ...paging(idOf('order')), status: OrderStatus().optional().describe('Only orders in this status.') }),
);

const exampleId = '0193a5c4-a0c4-7b3e-8d21-4e5f60718293';
const exampleOrder = {
  id: exampleId,
  type: 'pix_credit_pack',
  paymentMethod: 'mercado-pago',
  status: 'pending',
  amount: 59.9,
  currency: 'BRL',
  credits: 500,
  planId: 'pack-500',
  planName: null,
  billingInterval: null,
  packName: '500 credits',
  createdAt: '2026-11-21T12:00:00.000Z',
  paidAt: null,
  canceledAt: null,
  pix: {
    qrCode: '00020126580014br.gov.bcb.pix0136123e4567-e89b-12d3-a456-426614174000520400005303986540559.905802BR6304',
    qrCodeBase64: 'data:image/png;base64,iVBORw0KGgo=',
    expiresAt: '2026-11-21T12:30:00.000Z',
  },
} as const;

const reading = { method: 'GET', tag: 'Billing', scopes: ['read:orders'], idempotent: false } as const;

export const billingContracts = {
  createCreditOrder: {
    operationId: 'createCreditOrder',
    method: 'POST',
    path: '/api/v1/credits',
    tag: 'Billing',
    scopes: ['create:credits'],
    idempotent: true,
    dashboard: true,
    summary: 'Buy a credit pack by PIX',
    description: `Creates an order with a PIX charge, which can be paid for ${pixMinutes} minutes. The credits are added as soon as the gateway confirms the payment: read the order until its status is no longer \`pending\`. An order that is paid after it has expired is credited as well. If the gateway cannot be reached, rejects the charge or makes another one than requested, the response is 503, and no order is created: repeat the request with the same key. If it rejects the data of the payer, the response is 400 and names the field, and no order is created. A key whose first request did not finish can be used again for half an hour; afterwards, or if the pack has changed meanwhile, the response is 409, and a new key is needed. An account with ${openOrdersLimit} unpaid orders and open checkouts of subscriptions together gets 409 \`TOO_MANY_OPEN_ORDERS\`, and no order is created; a charge that was already made for the request is canceled at once, or within the hour if that fails. Use a random key, such as a UUID: a fingerprint of the request is stored under it, which reveals nothing about the payer unless the key can be guessed.`,
    get body() {
      return CreditOrderRequest();
    },
    success: {
      status: 201,
      get data() {
        return Order();
      },
    },
    errors: ['NOT_FOUND', 'IDEMPOTENCY_CONFLICT', 'TOO_MANY_OPEN_ORDERS', 'PROVIDER_UNAVAILABLE'],
    example: {
      body: {
        packId: exampleOrder.planId,
        payer: { name: 'Ana Souza', taxId: '529.982.247-25', email: 'ana@example.com' },
      },
      data: exampleOrder,
    },
  },
  listOrders: {
    ...reading,
    operationId: 'listOrders',
    path: '/api/v1/orders',
    dashboard: true,
    summary: 'List orders',
    description:
      'The orders of the account, newest first. A new order, or one whose status has just changed, may be missing from the list for about a second.',
    get query() {
      return orderQuery();
    },
    success: {
      status: 200,
      rows: 'orders',
      get data() {
        return OrderList();
      },
    },
    errors: [],
    example: { data: { orders: [exampleOrder], limit: 20, offset: 0 } },
  },
  getOrder: {
    ...reading,
    operationId: 'getOrder',
    path: '/api/v1/orders/{orderId}',
    dashboard: true,
    summary: 'Get an order',
    description: 'An order of the account. Poll it every few seconds while its status is `pending`.',
    get params() {
      return orderParams();
    },
    success: {
      status: 200,
      get data() {
        return Order();
      },
    },
    errors: ['NOT_FOUND'],
    example: { params: { orderId: exampleId }, data: exampleOrder },
  },
} as const satisfies Record<string, OperationContract>;
