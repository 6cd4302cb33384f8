/** Handles events of payment gateways; an event that cannot be processed at once is enqueued. */
import type { Logger } from '@aws-lambda-powertools/logger';
import type { PaymentEventMessage } from '../../contracts/workflow.ts';
import type { PaymentEvent, PaymentNotification } from '../../gateways/pix-gateway.ts';
import type { SubscriptionEvent } from '../../gateways/subscription-gateway.ts';
import type { Queue } from '../../platform/queue.ts';
import type { ServiceMetrics } from '../metrics.ts';
import { Rejection, wrongSignature } from '../rejection.ts';
import { handlePayment, type ReconcileNeeds } from './reconciliation/reconcile-orders.ts';
import { handleReport, type SubscriptionReconcileNeeds } from './reconciliation/reconcile-subscriptions.ts';

/**
 * `too-early`: the event's order may be about to be stored. `unknown`: the gateway does not know the event's subject.
 */
export type EventOutcome = 'done' | 'too-early' | 'unknown';

/** The longest time before an event is enqueued, so that its sender gets a response even if the gateway is slow. */
const longestMs = 15_000;

const waited = (milliseconds: number): Promise<'slow'> =>
  new Promise((resolve) => {
    AbortSignal.timeout(milliseconds).addEventListener('abort', () => resolve('slow'));
  });

/** How soon the gateway may send an event again. */
const retryAfterSeconds = 60;

interface GenuineNeeds {
  readonly logger: Pick<Logger, 'warn'>;
  readonly metrics: ServiceMetrics;
}

interface EventReader<Event> {
  readonly name: string;
  readEvent(notification: PaymentNotification): Promise<Event | 'irrelevant' | 'unreadable' | undefined>;
}

/**
 * Verifies a notification's signature and parses its event. An event of an unknown form is acknowledged: sending it
 * again would not help, and the reconciliation finds the change that it is about.
 * @throws {Rejection} not-found, unauthenticated
 */
export async function genuineEvent<Event extends object>(
  gateway: EventReader<Event>,
  { headers, query, body }: PaymentNotification,
  { logger, metrics }: GenuineNeeds,
): Promise<Event | 'irrelevant'> {
  if (gateway.name === 'none') throw new Rejection('not-found');
  const event = await gateway.readEvent({ headers, query, body });
  if (event === 'unreadable') {
    logger.warn('payment event ignored', { gateway: gateway.name, outcome: event });
    metrics.record({ PaymentEventsUnreadable: 1 });
    return 'irrelevant';
  }
  if (event !== undefined) return event;
  metrics.record({ PaymentEventsRejected: 1 });
  throw wrongSignature();
}

/** Handles a PIX event, which only triggers a read: the state and the amount come from the gateway. */
export async function handlePixEvent(needs: ReconcileNeeds, { eventId, subject }: PaymentEvent): Promise<EventOutcome> {
  const payment = await needs.pixGateway.read(subject);
  if (!payment) return 'unknown';
  const handled = await handlePayment(needs, payment, eventId);
  // The event about a new charge arrives before its order is stored, and requires nothing. Neither does that about one
  // that was withdrawn, which has no order: the account had too many.
  const isNothing = payment.status === 'pending' || payment.status === 'canceled';
  return handled === 'too-early' && !isNothing ? 'too-early' : 'done';
}

/** Handles a subscription event, which only triggers a read: the whole subscription comes from the gateway. */
export async function handleSubscriptionEvent(
  needs: SubscriptionReconcileNeeds,
  { subject }: Pick<SubscriptionEvent, 'subject'>,
): Promise<EventOutcome> {
  const report = await needs.subscriptionGateway.read(subject);
  if (!report) return 'unknown';
  const handled = await handleReport(needs, report);
  // The event about a new checkout arrives before its order is stored, and requires nothing.
  return handled === 'too-early' && report.checkout === 'completed' ? 'too-early' : 'done';
}

interface EnqueueNeeds {
  readonly logger: Pick<Logger, 'warn'>;
  readonly queue: Queue;
}

/**
 * Processes an event, or enqueues it if that fails or takes too long. In both cases the sender need not repeat it.
 * @throws {Rejection} dependency-unavailable, if it cannot be enqueued either
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
    throw new Rejection('dependency-unavailable', { retryAfterSeconds, internal });
  });
}
