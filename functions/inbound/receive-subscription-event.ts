import type { PaymentEventMessage } from '../../shared/contracts/workflow.ts';
import { attendSubscriptionEvent, processOrEnqueue } from '../../shared/domain/billing/attend-event.ts';
import { Rejection } from '../../shared/domain/rejection.ts';
import { subscriptionGateway } from '../../shared/gateways/gateways.ts';
import { paymentQueue } from '../../shared/platform/queue.ts';
import { type Inbound, inboundLambda } from '../../shared/runtime/inbound-lambda.ts';

/** Receives the news that something happened to a subscription. What cannot be done at once is repeated from a queue. */
export const receiveSubscriptionEvent: Inbound<PaymentEventMessage | 'irrelevant', 'subscriptionGateway' | 'queue'> = {
  async verify({ headers, query, body }, { metrics, subscriptionGateway: gateway }) {
    if (gateway.name === 'none') throw new Rejection('not-found');
    const event = await gateway.readEvent({ headers, query, body });
    if (event === 'irrelevant') return { sender: gateway.name, message: event };
    if (event) return { sender: gateway.name, message: { gateway: 'stripe', ...event } };
    metrics.record({ PaymentEventsRejected: 1 });
    throw new Rejection('unauthenticated');
  },

  async receive(event, context) {
    if (event === 'irrelevant') return;
    await processOrEnqueue(context, event, () => attendSubscriptionEvent(context, event));
  },
};

export const definition = inboundLambda('receiveSubscriptionEvent', receiveSubscriptionEvent, {
  subscriptionGateway,
  queue: paymentQueue,
});
