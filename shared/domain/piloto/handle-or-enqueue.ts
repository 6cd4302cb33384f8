/** Applies the events of one request or message, in the order in which they came, within a time; the rest is enqueued. */
import type { SocialEvent } from '../../gateways/social-network.ts';
import { Rejection } from '../rejection.ts';
import { type EventNeeds, handleSocialEvent } from './handle-social-event.ts';

/** Networks wait for a response, and repeat what takes long. */
const receivingMs = 2000;

/** Well below the time limit of the function that takes them from the queue. */
const processingMs = 20_000;

/** After which the network may repeat events. */
const retryAfterSeconds = 60;

/** How soon what could not be applied is tried again. */
const failedDelaySeconds = 5;

/** Of one message: a queue takes a quarter of a megabyte. */
const mostBytes = 100_000;

const bytesOf = (event: SocialEvent): number => Buffer.byteLength(JSON.stringify(event));

/** Of one page each, so that the events of one do not delay those of another. */
function messagesOf(events: readonly SocialEvent[]): SocialEvent[][] {
  const messages: { readonly pageId: string; readonly events: SocialEvent[]; bytes: number }[] = [];
  for (const event of events) {
    const bytes = bytesOf(event);
    const open = messages.findLast(({ pageId }) => pageId === event.pageId);
    if (open && open.bytes + bytes <= mostBytes) {
      open.events.push(event);
      open.bytes += bytes;
    } else messages.push({ pageId: event.pageId, events: [event], bytes });
  }
  return messages.map((message) => message.events);
}

async function enqueue({ inboxQueue }: EventNeeds, events: readonly SocialEvent[], delaySeconds: number) {
  for (const part of messagesOf(events)) {
    const [{ pageId: group } = { pageId: '' }] = part;
    await inboxQueue.send({ kind: 'events', events: part }, { delaySeconds, group });
  }
}

/** Whether an event has been applied. */
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

/** Applies what there is time for, and resolves with the events that are left. */
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
 * Applies events, and puts into the queue what cannot be applied now. Either way their sender is done with them.
 * @throws {Rejection} engine-unavailable, if the queue does not take them either
 */
export async function handleOrEnqueue(needs: EventNeeds, events: readonly SocialEvent[]): Promise<void> {
  const failed: SocialEvent[] = [];
  const left = await handleInTime(needs, events, receivingMs, (event) => failed.push(event));
  try {
    await enqueue(needs, failed, failedDelaySeconds);
    await enqueue(needs, left, 0);
  } catch (error) {
    throw new Rejection('engine-unavailable', { retryAfterSeconds, internal: `not enqueued: ${String(error)}` });
  }
}

/**
 * Applies events from the queue. What is left when the time is over goes back, and each that fails among others as a
 * message of its own; a message of one event that fails is thrown, so that the queue counts how often.
 */
export async function handleEnqueued(needs: EventNeeds, events: readonly SocialEvent[]): Promise<void> {
  const [only] = events;
  if (only && events.length === 1) return handleSocialEvent(needs, only);
  const repeatAlone = (event: SocialEvent) => enqueue(needs, [event], failedDelaySeconds);
  const left = await handleInTime(needs, events, processingMs, repeatAlone);
  await enqueue(needs, left, 0);
}
