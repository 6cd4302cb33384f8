import { attendPayment } from '../../shared/domain/billing/reconcile-orders.ts';
import { Rejection } from '../../shared/domain/rejection.ts';
import { pixGateway } from '../../shared/gateways/gateways.ts';
import type { PaymentEvent } from '../../shared/gateways/pix-gateway.ts';
import { type Inbound, inboundLambda } from '../../shared/runtime/inbound-lambda.ts';

/** After which the gateway may repeat an event. */
const retryAfterSeconds = 60;

/**
 * Receives the news that something happened to a payment. Its state and amount are read from the gateway, so that an
 * event can only make the service look. What cannot be done yet is repeated by the gateway, and by the reconciliation.
 */
export const receivePaymentEvent: Inbound<PaymentEvent, 'pixGateway'> = {
  async verify({ headers, query, body }, { metrics, pixGateway: gateway }) {
    const event = await gateway.readEvent({ headers, query, body });
    if (event) return { sender: gateway.name, message: event };
    metrics.record({ PaymentEventsRejected: 1 });
    throw new Rejection('unauthenticated');
  },

  async receive({ eventId, paymentId }, context) {
    const payment = await context.pixGateway.read(paymentId);
    const attended = payment && (await attendPayment(context, payment, eventId));
    // A charge is announced before its order is stored, and nothing has to be done about it.
    if (attended && (attended !== 'too-early' || payment.status === 'pending')) return;
    const internal = `payment ${paymentId} ${payment ? 'has no order yet' : 'is unknown at the gateway'}`;
    throw new Rejection('engine-unavailable', { retryAfterSeconds, internal });
  },
};

export const definition = inboundLambda('receivePaymentEvent', receivePaymentEvent, { pixGateway });
