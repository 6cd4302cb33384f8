import type { PaymentEventMessage } from '../../shared/contracts/workflow.ts';
import { attendPixEvent, processOrEnqueue } from '../../shared/domain/billing/attend-event.ts';
import { Rejection } from '../../shared/domain/rejection.ts';
import { pixGateway } from '../../shared/gateways/gateways.ts';
import { paymentQueue } from '../../shared/platform/queue.ts';
import { type Inbound, inboundLambda } from '../../shared/runtime/inbound-lambda.ts';

/** Receives the news that something happened to a payment. What cannot be done at once is repeated from a queue. */
export const receivePaymentEvent: Inbound<PaymentEventMessage, 'pixGateway' | 'queue'> = {
  async verify({ headers, query, body }, { metrics, pixGateway: gateway }) {
    if (gateway.name === 'none') throw new Rejection('not-found');
    const event = await gateway.readEvent({ headers, query, body });
    if (event) return { sender: gateway.name, message: { gateway: 'mercado-pago', ...event } };
    metrics.record({ PaymentEventsRejected: 1 });
    throw new Rejection('unauthenticated');
  },

  receive: (event, context) => processOrEnqueue(context, event, () => attendPixEvent(context, event)),
};

export const definition = inboundLambda('receivePaymentEvent', receivePaymentEvent, {
  pixGateway,
  queue: paymentQueue,
});
