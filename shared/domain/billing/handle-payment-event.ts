/** Handles events of payment gateways; one that cannot be processed at once is enqueued. */
import type { Logger } from '@aws-lambda-powertools/logger';
import type { PaymentEventMessage } from '../../contracts/workflow.ts';
import type { PaymentEvent, PaymentNotification } from '../../gateways/pix-gateway.ts';
import type { SubscriptionEvent } from '../../gateways/subscription-gateway.ts';
import type { Queue } from '../../platform/queue.ts';
import type { ServiceMetrics } from '../metrics.ts';
import { Rejection, wrongSignature } from '../rejection.ts';
import { handlePayment, type ReconcileNeeds } from './reconcile-orders.ts';
import { handleReport, type SubscriptionReconcileNeeds } from './reconcile-subscriptions.ts';

/** `too-early`: it is for an order that may be about to be stored. `unknown`: the gateway does not have its subject. */
export type EventOutcome = 'done' | 'too-early' | 'unknown';

/** After which an event is enqueued, so that its sender gets a response while the gateway is slow. */
const longestMs = 15_000;

const waited = (milliseconds: number): Promise<'slow'> =>
  new Promise((resolve) => {
    AbortSignal.timeout(milliseconds).addEventListener('abort', () => resolve('slow'));
  });

/** After which the gateway may repeat an event. */
const retryAfterSeconds = 60;

/**
 * The event that a notification reports, if the gateway itself has sent it.
 * @throws {Rejection} not-found, unauthenticated
 */
export async function genuineEvent<Event>(
  gateway: { readonly name: string; readEvent(notification: PaymentNotification): Promise<Event | undefined> },
  { headers, query, body }: PaymentNotification,
  metrics: ServiceMetrics,
): Promise<Event> {
  if (gateway.name === 'none') throw new Rejection('not-found');
  const event = await gateway.readEvent({ headers, query, body });
  if (event !== undefined) return event;
  metrics.record({ PaymentEventsRejected: 1 });
  throw wrongSignature();
}

/** An event only triggers a read: the state and the amount come from the gateway. */
export async function handlePixEvent(needs: ReconcileNeeds, { eventId, subject }: PaymentEvent): Promise<EventOutcome> {
  const payment = await needs.pixGateway.read(subject);
  if (!payment) return 'unknown';
  const handled = await handlePayment(needs, payment, eventId);
  // A charge is announced before its order is stored, and nothing has to be done about it.
  return handled === 'too-early' && payment.status !== 'pending' ? 'too-early' : 'done';
}

/** The subscription is read from the gateway as a whole, whatever the event says of it. */
export async function handleSubscriptionEvent(
  needs: SubscriptionReconcileNeeds,
  { subject }: Pick<SubscriptionEvent, 'subject'>,
): Promise<EventOutcome> {
  const report = await needs.subscriptionGateway.read(subject);
  if (!report) return 'unknown';
  const handled = await handleReport(needs, report);
  // A checkout is announced before its order is stored, and nothing has to be done about it.
  return handled === 'too-early' && report.checkout === 'completed' ? 'too-early' : 'done';
}

interface EnqueueNeeds {
  readonly logger: Pick<Logger, 'warn'>;
  readonly queue: Queue;
}

/**
 * Processes an event; one that cannot be processed now, or not in time, is put into the queue. Either way its sender is done with it.
 * @throws {Rejection} engine-unavailable, if the queue does not take it either
 */
export async function processOrEnqueue(
  { logger, queue }: EnqueueNeeds,
  event: PaymentEventMessage,
  process: () => Promise<EventOutcome>,
  limitMs = longestMs,
): Promise<void> {
  const processed = process().catch((error: unknown) => ({ error: error as Error }));
  const outcome = await Promise.race([processed, waited(limitMs)]);
  if (outcome === 'done') return;
  logger.warn('payment event enqueued', { ...event, ...(typeof outcome === 'string' ? { outcome } : outcome) });
  await queue.send(event, { group: event.gateway }).catch((error: unknown) => {
    const internal = `the event ${event.eventId} cannot be enqueued: ${String(error)}`;
    throw new Rejection('engine-unavailable', { retryAfterSeconds, internal });
  });
}
