/** The operations with which accounts buy credits, typed from the specification's text and never derived from the code. */
import { authenticated, readOnly } from './specified-operation.ts';
import { orderStatuses } from './specified-sets.ts';

const order = {
  id: 'string',
  type: 'string',
  paymentMethod: 'string',
  status: 'string',
  amount: 'number',
  currency: 'string',
  credits: 'integer',
  planId: 'string',
  planName: 'string|null',
  billingInterval: 'string|null',
  packName: 'string',
  createdAt: 'string',
  paidAt: 'string|null',
  canceledAt: 'string|null',
  pix: 'object|null',
  'pix.qrCode': 'string',
  'pix.qrCodeBase64': 'string',
  'pix.expiresAt': 'string',
};

const inOrders = Object.fromEntries(Object.entries(order).map(([name, type]) => [`orders[].${name}`, type]));

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
    data: {
      orderId: 'string',
      paymentMethod: 'string',
      status: 'string',
      planId: 'string',
      billingCycle: 'string',
      checkoutUrl: 'string',
    },
  },
  getSubscription: {
    ...readOnly,
    path: '/api/v1/subscriptions',
    scopes: ['read:subscriptions'],
    errors: authenticated,
    data: {
      subscription: 'object|null',
      'subscription.id': 'string',
      'subscription.planId': 'string',
      'subscription.planName': 'string',
      'subscription.status': 'string',
      'subscription.billingCycle': 'string',
      'subscription.currentPeriodStart': 'string|null',
      'subscription.currentPeriodEnd': 'string|null',
      'subscription.creditsPerMonth': 'integer',
      'subscription.createdAt': 'string',
    },
  },
  listOrders: {
    ...readOnly,
    path: '/api/v1/orders',
    scopes: ['read:orders'],
    errors: authenticated,
    query: {
      limit: { kind: 'query integer', from: 1, to: 100, byDefault: 20 },
      offset: { kind: 'query integer', from: 0, to: 10_000, byDefault: 0 },
      status: { kind: 'one of', values: orderStatuses },
    },
    data: { orders: 'array', ...inOrders, limit: 'integer', offset: 'integer' },
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
