/** The operations with which accounts buy credits, typed from the specification's text and never derived from the code. */
import { authenticated, fields, listOf, pagedBy, readOnly } from './specified-operation.ts';
import { orderStatuses } from './specified-sets.ts';

const pagedOrders = pagedBy('sortable id');

const order = fields(`
  id type paymentMethod status, amount: number, currency, credits: integer, planId, planName
  billingInterval: string|null, packName createdAt, paidAt canceledAt: string|null, pix: object|null,
  pix.qrCode pix.qrCodeBase64 pix.expiresAt
`);

const billingCycle = { kind: 'one of', values: ['monthly', 'annual'], required: true } as const;

export const specifiedBilling = {
  createCreditOrder: {
    ...readOnly,
    method: 'POST',
    path: '/api/v1/credits',
    scopes: ['create:credits'],
    success: 201,
    idempotent: true,
    errors: { ...authenticated, NOT_FOUND: 404, IDEMPOTENCY_CONFLICT: 409, TOO_MANY_OPEN_ORDERS: 409 },
    body: { packId: { kind: 'text', from: 1, to: 200, required: true }, payer: { kind: 'payer' } },
    data: order,
  },
  createSubscription: {
    ...readOnly,
    method: 'POST',
    path: '/api/v1/subscriptions',
    scopes: ['create:subscriptions'],
    success: 201,
    idempotent: true,
    errors: {
      ...authenticated,
      NOT_FOUND: 404,
      SUBSCRIPTION_ALREADY_ACTIVE: 409,
      IDEMPOTENCY_CONFLICT: 409,
      TOO_MANY_OPEN_ORDERS: 409,
    },
    body: {
      planId: { kind: 'text', from: 1, to: 200, required: true },
      billingCycle,
      couponCode: { kind: 'text', from: 1, to: 200 },
    },
    isStrict: true,
    data: fields('orderId paymentMethod status planId billingCycle checkoutUrl'),
  },
  getSubscription: {
    ...readOnly,
    path: '/api/v1/subscriptions',
    scopes: ['read:subscriptions'],
    errors: authenticated,
    data: fields(`
      subscription: object|null, subscription.id subscription.planId subscription.planName subscription.status
      subscription.billingCycle, subscription.currentPeriodStart subscription.currentPeriodEnd: string|null,
      subscription.creditsPerMonth: integer, subscription.createdAt
    `),
  },
  listOrders: {
    ...readOnly,
    path: '/api/v1/orders',
    scopes: ['read:orders'],
    errors: authenticated,
    ...pagedOrders,
    query: { ...pagedOrders.query, status: { kind: 'one of', values: orderStatuses } },
    data: listOf('orders', order),
  },
  getOrder: {
    ...readOnly,
    path: '/api/v1/orders/{orderId}',
    scopes: ['read:orders'],
    errors: { ...authenticated, NOT_FOUND: 404 },
    params: { orderId: { kind: 'order id', required: true } },
    data: order,
  },
} as const;
