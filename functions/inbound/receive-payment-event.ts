import type { PaymentEventMessage } from '../../shared/contracts/workflow.ts';
import { genuineEvent, handlePixEvent, processOrEnqueue } from '../../shared/domain/billing/handle-payment-event.ts';
import { accounts, cases, orders } from '../../shared/domain/store-ports.ts';
import { pixGateway } from '../../shared/gateways/pix-gateways.ts';
import { paymentQueue } from '../../shared/platform/queue.ts';
import { type Inbound, inboundLambda } from '../../shared/runtime/inbound-lambda.ts';

/** Receives an event about a payment. An event that cannot be processed at once is enqueued. */
export const receivePaymentEvent: Inbound<
  PaymentEventMessage | 'irrelevant',
  'pixGateway' | 'queue' | 'accounts' | 'cases' | 'orders'
> = {
  async verify(request, { logger, metrics, pixGateway: gateway }) {
    const event = await genuineEvent(gateway, request, { logger, metrics });
    return { sender: gateway.name, message: event === 'irrelevant' ? event : { gateway: 'mercado-pago', ...event } };
  },

  async receive(event, context) {
    if (event === 'irrelevant') return;
    await processOrEnqueue(context, event, () => handlePixEvent(context, event));
  },
};

export const definition = inboundLambda('receivePaymentEvent', receivePaymentEvent, {
  accounts,
  cases,
  orders,
  pixGateway,
  queue: paymentQueue,
});
