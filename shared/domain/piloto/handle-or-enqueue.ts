/** Applies the events of one webhook request or queue message in order, within a time limit, and enqueues the rest. */
import type { SocialEvent } from '../../gateways/social-network.ts';
import { Rejection } from '../rejection.ts';
import { type EventNeeds, handleSocialEvent } from './handle-social-event.ts';

/**
 * The time limit while a social network waits for the response, which is short because slow deliveries are repeated.
 */
const receivingMs = 2000;

/** The time limit for a queue message, well below that of the function that consumes the queue. */
const processingMs = 20_000;

/** How soon the social network may send the events again. */
const retryAfterSeconds = 60;

/** How soon a failed event is retried. */
const failedDelaySeconds = 5;

/** The most bytes of events in one queue message; the queue's own limit is 256 KB. */
const maxBytes = 100_000;

const bytesOf = (event: SocialEvent): number => Buffer.byteLength(JSON.stringify(event));

/** Groups events by page, so that the events of one page do not delay those of another. */
function messagesOf(events: readonly SocialEvent[]): SocialEvent[][] {
  const messages: SocialEvent[][] = [];
  const open = new Map<string, { readonly events: SocialEvent[]; bytes: number }>();
  for (const event of events) {
    const bytes = bytesOf(event);
    const last = open.get(event.pageId);
    if (last && last.bytes + bytes <= maxBytes) {
      last.events.push(event);
      last.bytes += bytes;
    } else {
      const next = { events: [event], bytes };
      open.set(event.pageId, next);
      messages.push(next.events);
    }
  }
  return messages;
}

async function enqueue({ inboxQueue }: EventNeeds, events: readonly SocialEvent[], delaySeconds: number) {
  for (const part of messagesOf(events)) {
    const [{ pageId: group } = { pageId: '' }] = part;
    await inboxQueue.send({ kind: 'events', events: part }, { delaySeconds, group });
  }
}

/** Applies an event; false if that failed. */
async function isApplied(needs: EventNeeds, event: SocialEvent): Promise<boolean> {
  try {
    await handleSocialEvent(needs, event);
    return true;
  } catch (error) {
    const { kind, channel, pageId } = event;
    needs.logger.warn('social event not applied yet', { kind, channel, pageId, error: error as Error });
    return false;
  }
}

/** Applies events until time runs out; returns those that are left. */
async function handleInTime(
  needs: EventNeeds,
  events: readonly SocialEvent[],
  limitMs: number,
  onFailure: (event: SocialEvent) => unknown,
): Promise<readonly SocialEvent[]> {
  const endsAt = needs.clock.now() + limitMs;
  for (const [index, event] of events.entries()) {
    if (needs.clock.now() >= endsAt) return events.slice(index);
    if (!(await isApplied(needs, event))) await onFailure(event);
  }
  return [];
}

/**
 * Applies events, and enqueues those that cannot be applied now. In both cases the sender need not repeat them. @throws
 * {Rejection} dependency-unavailable, if they cannot be enqueued either
 */
export async function handleOrEnqueue(needs: EventNeeds, events: readonly SocialEvent[]): Promise<void> {
  const failed: SocialEvent[] = [];
  const left = await handleInTime(needs, events, receivingMs, (event) => failed.push(event));
  try {
    await enqueue(needs, failed, failedDelaySeconds);
    await enqueue(needs, left, 0);
  } catch (error) {
    throw new Rejection('dependency-unavailable', { retryAfterSeconds, internal: `not enqueued: ${String(error)}` });
  }
}

/**
 * Applies events from the queue. Those left when time runs out are enqueued again, and each failed one becomes a
 * message of its own. If a message with a single event fails, the error is thrown, so that the queue counts the
 * attempts.
 */
export async function handleEnqueued(needs: EventNeeds, events: readonly SocialEvent[]): Promise<void> {
  const [only] = events;
  if (only && events.length === 1) return handleSocialEvent(needs, only);
  const repeatAlone = (event: SocialEvent) => enqueue(needs, [event], failedDelaySeconds);
  const left = await handleInTime(needs, events, processingMs, repeatAlone);
  await enqueue(needs, left, 0);
}
