import { PaymentEventMessage } from '../../shared/contracts/workflow.ts';
import {
  type EventOutcome,
  handlePixEvent,
  handleSubscriptionEvent,
} from '../../shared/domain/billing/handle-payment-event.ts';
import { accounts, cases, orders, subscriptions } from '../../shared/domain/store-ports.ts';
import { pixGateway } from '../../shared/gateways/pix-gateways.ts';
import { subscriptionGateway } from '../../shared/gateways/subscription-gateways.ts';
import type { With } from '../../shared/runtime/context.ts';
import { type Consumer, queueLambda } from '../../shared/runtime/queue-lambda.ts';

type Message = PaymentEventMessage;
type Needed = 'accounts' | 'cases' | 'orders' | 'pixGateway' | 'subscriptionGateway' | 'subscriptions';
type Process = (context: With<Needed>, event: Message) => Promise<EventOutcome>;

const processes: Readonly<Record<Message['gateway'], Process>> = {
  'mercado-pago': handlePixEvent,
  stripe: handleSubscriptionEvent,
};

/** Processes an event that could not be processed on arrival; retried for about an hour. */
export const processPaymentEvent: Consumer<typeof PaymentEventMessage, Needed> = async (event, context) => {
  const outcome = await processes[event.gateway](context, event);
  if (outcome === 'too-early') throw new Error(`the order of ${event.subject} is not stored yet`);
  // If the gateway returns it later, the reconciliation finds it.
  if (outcome === 'unknown') context.logger.warn('payment event ignored', { ...event, outcome });
};

export const definition = queueLambda('processPaymentEvent', PaymentEventMessage, processPaymentEvent, {
  accounts,
  cases,
  orders,
  subscriptions,
  pixGateway,
  subscriptionGateway,
});
