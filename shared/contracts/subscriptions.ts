/** Operations by which accounts subscribe to plans. */
import * as z from 'zod';
import { checkoutHours } from './billing.ts';
import { billingCycles } from './billing-cycles.ts';
import { credits, exactly, id, oneOf, serviceUrl, shortText, text, timestamp } from './fields.ts';
import { openOrdersLimit } from './limits.ts';
import { once } from './once.ts';
import type { OperationContract } from './operation.ts';

const subscriptionStatuses = ['pending', 'active', 'past_due', 'canceled'] as const;

const BillingCycle = once(() => oneOf(billingCycles).meta({ id: 'BillingCycle' }));

const SubscriptionRequest = once(() =>
  exactly({
    planId: text(1, 200).describe('The id of a plan of `GET /api/v1/plans`.'),
    billingCycle: BillingCycle().describe('How often the plan is billed.'),
    couponCode: text(1, 200)
      .overwrite((code) => code.toUpperCase())
      .optional()
      .describe(
        'The code of a coupon, in any case. An account can use a coupon once: with its first paid order, or as long as an order with it waits for its payment.',
      ),
  }).meta({ id: 'SubscriptionRequest' }),
);

const SubscriptionOrder = once(() =>
  z
    .object({
      orderId: id().describe('The id of the order, and of the subscription.'),
      paymentMethod: shortText().describe('The payment gateway.'),
      status: z.literal('pending').describe('The order waits for its payment.'),
      planId: shortText().describe('The id of the plan.'),
      billingCycle: BillingCycle().describe('How often the plan is billed.'),
      checkoutUrl: serviceUrl().describe('Where to pay.'),
    })
    .meta({ id: 'SubscriptionOrder', description: 'An order of a subscription, and where to pay it.' }),
);

const statusMeanings = [
  '`pending`: waiting for the first payment.',
  '`active`: paid.',
  '`past_due`: a renewal could not be charged yet; it will be retried.',
  '`canceled`: not renewed any more; its features last until `currentPeriodEnd`, unless the payment was returned.',
].join(' ');

const Subscription = once(() =>
  z
    .object({
      subscription: z
        .object({
          id: id().describe('The id of the subscription, and of its order.'),
          planId: shortText().describe('The id of the plan.'),
          planName: shortText().describe('The display name of the plan.'),
          status: z.enum(subscriptionStatuses).describe(statusMeanings),
          billingCycle: BillingCycle().describe('How often the plan is billed.'),
          currentPeriodStart: timestamp()
            .nullable()
            .describe('When the last paid period began; null before the first.'),
          currentPeriodEnd: timestamp().nullable().describe('When the last paid period ends; null before the first.'),
          creditsPerMonth: credits().describe('The credits granted each month.'),
          createdAt: timestamp().describe('When it was ordered.'),
        })
        .meta({ id: 'Subscription' })
        .nullable()
        .describe('The one that is active or past due; otherwise the newest pending or, without one, canceled one.'),
    })
    .meta({ id: 'CurrentSubscription', description: 'The current subscription of an account, or null.' }),
);

const exampleId = '0193a5c4-b1d5-7c4f-9e32-5f6071829304';

export const subscriptionContracts = {
  createSubscription: {
    operationId: 'createSubscription',
    method: 'POST',
    path: '/api/v1/subscriptions',
    tag: 'Billing',
    scopes: ['create:subscriptions'],
    idempotent: true,
    whenUnavailable: 'INTERNAL_ERROR',
    dashboard: true,
    summary: 'Subscribe to a plan',
    description: `Creates the order of a subscription and the checkout in which it is paid, within ${checkoutHours} hours. As soon as the payment gateway confirms the payment, the subscription becomes active and the account has the features of the plan; its credits are added every month, with annual billing too: read the subscription until its status is no longer \`pending\`. Features last until the end of what was paid; unless the subscription ends then, they last three days longer, in which the renewal is charged, and they come back with a later payment. An account can have several pending subscriptions, but only one that is active or past due: the first one that is paid. An account with ${openOrdersLimit} unpaid orders and open checkouts together gets 409 \`TOO_MANY_OPEN_ORDERS\` (a code that was added within v1), and no order is created; a checkout that was already made for the request is closed at once, or expires if that fails. If the payment gateway is not available, the response is 500, and no order is created: repeat the request with the same key. A key whose first request did not finish can be used again for ${checkoutHours - 1} hours; afterwards, or if the price has changed meanwhile, the response is 409, and a new key is needed.`,
    get body() {
      return SubscriptionRequest();
    },
    success: {
      status: 201,
      get data() {
        return SubscriptionOrder();
      },
    },
    errors: ['NOT_FOUND', 'SUBSCRIPTION_ALREADY_ACTIVE', 'IDEMPOTENCY_CONFLICT', 'TOO_MANY_OPEN_ORDERS'],
    example: {
      body: { planId: 'pro', billingCycle: 'monthly' },
      data: {
        orderId: exampleId,
        paymentMethod: 'stripe',
        status: 'pending',
        planId: 'pro',
        billingCycle: 'monthly',
        checkoutUrl: 'https://checkout.stripe.com/c/pay/cs_live_a1b2c3',
      },
    },
  },
  getSubscription: {
    operationId: 'getSubscription',
    method: 'GET',
    path: '/api/v1/subscriptions',
    tag: 'Billing',
    scopes: ['read:subscriptions'],
    idempotent: false,
    dashboard: true,
    summary: 'Get the current subscription',
    description:
      'The subscription of the account that is active or past due. Without one, it is the newest that waits for its payment, then the newest that was canceled, or null.',
    success: {
      status: 200,
      get data() {
        return Subscription();
      },
    },
    errors: [],
    example: {
      data: {
        subscription: {
          id: exampleId,
          planId: 'pro',
          planName: 'Pro',
          status: 'active',
          billingCycle: 'monthly',
          currentPeriodStart: '2026-11-21T12:00:00.000Z',
          currentPeriodEnd: '2026-12-21T12:00:00.000Z',
          creditsPerMonth: 2000,
          createdAt: '2026-11-21T11:58:00.000Z',
        },
      },
    },
  },
} as const satisfies Record<string, OperationContract>;
