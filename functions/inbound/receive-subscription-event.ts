import type { PaymentEventMessage } from '../../shared/contracts/workflow.ts';
import {
  genuineEvent,
  handleSubscriptionEvent,
  processOrEnqueue,
} from '../../shared/domain/billing/handle-payment-event.ts';
import { accounts, cases, orders, subscriptions } from '../../shared/domain/store-ports.ts';
import { subscriptionGateway } from '../../shared/gateways/subscription-gateways.ts';
import { paymentQueue } from '../../shared/platform/queue.ts';
import { type Inbound, inboundLambda } from '../../shared/runtime/inbound-lambda.ts';

/** Receives an event about a subscription. An event that cannot be processed at once is enqueued. */
export const receiveSubscriptionEvent: Inbound<
  PaymentEventMessage | 'irrelevant',
  'subscriptionGateway' | 'queue' | 'accounts' | 'cases' | 'orders' | 'subscriptions'
> = {
  async verify(request, { logger, metrics, subscriptionGateway: gateway }) {
    const event = await genuineEvent(gateway, request, { logger, metrics });
    return { sender: gateway.name, message: event === 'irrelevant' ? event : { gateway: 'stripe', ...event } };
  },

  async receive(event, context) {
    if (event === 'irrelevant') return;
    await processOrEnqueue(context, event, () => handleSubscriptionEvent(context, event));
  },
};

export const definition = inboundLambda('receiveSubscriptionEvent', receiveSubscriptionEvent, {
  accounts,
  cases,
  orders,
  subscriptions,
  subscriptionGateway,
  queue: paymentQueue,
});
