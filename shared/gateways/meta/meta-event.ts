/** Verifies Meta's events, and parses those about messages and comments of a page. */
import * as z from 'zod';
import { type Channel, maxAttachments } from '../../contracts/channels.ts';
import { jsonIn } from '../../platform/json-in.ts';
import { lineField, outsideId, writtenField } from '../outside-fields.ts';
import type { NetworkMessage, SocialEvent, SocialNotification } from '../social-network.ts';
import { isSignedWith } from './app-signature.ts';
import { commentEvent } from './comment-event.ts';
import { EventTime } from './graph-time.ts';
import { openable, personId } from './meta-conversation.ts';

const Party = z.object({ id: personId });

const Attachment = z.object({
  type: z.string().max(40).pipe(lineField),
  payload: z.object({ url: z.string() }),
});

const Message = z.object({
  mid: outsideId(),
  text: writtenField.nullish(),
  attachments: z.array(z.unknown()).nullish(),
  is_echo: z.boolean().nullish(),
  is_deleted: z.boolean().nullish(),
});

const Messaging = z.object({
  sender: Party,
  recipient: Party,
  timestamp: EventTime,
  message: Message.optional(),
  delivery: z.object({ watermark: EventTime }).optional(),
  read: z.object({ watermark: EventTime.optional() }).optional(),
});

const Entry = z.object({
  id: outsideId(),
  time: EventTime,
  messaging: z.array(z.unknown()).optional(),
  changes: z.array(z.unknown()).optional(),
});

const Envelope = z.object({ object: z.enum(['instagram', 'page']), entry: z.array(z.unknown()) });

/** The most updates that Meta sends in one request. */
const maxUpdates = 1000;

const received = ({ mid, text, attachments }: z.infer<typeof Message>, createdAt: number): NetworkMessage => ({
  id: mid,
  direction: 'inbound',
  text: text || null,
  attachments: openable(
    (attachments ?? []).slice(0, maxAttachments).flatMap((one) => {
      const { data } = Attachment.safeParse(one);
      return data ? [{ type: data.type, url: data.payload.url }] : [];
    }),
  ),
  status: 'delivered',
  createdAt,
});

/**
 * Parses a messaging event. Echoes of the page's own messages are skipped unless they are deleted; so are events that
 * are not about messages. A message with an impossible time gets the time of its receipt, so that it is not lost; a
 * receipt with an impossible time is ignored.
 */
function messagingEvent(channel: Channel, pageId: string, value: unknown, now: number): SocialEvent | undefined {
  const { data } = Messaging.safeParse(value);
  if (!data) return undefined;
  const { sender, recipient, message, delivery, read, timestamp } = data;
  const isOwn = sender.id === pageId || message?.is_echo === true;
  if (isOwn && !message?.is_deleted) return undefined;
  const about = { channel, pageId, participantId: isOwn ? recipient.id : sender.id };
  if (message?.is_deleted) return { kind: 'message-deleted', ...about, messageId: message.mid };
  if (message) return { kind: 'message', ...about, message: received(message, timestamp.pastBy(now) ?? now) };
  const until = (delivery?.watermark ?? read?.watermark ?? timestamp).pastBy(now);
  if ((!delivery && !read) || until === undefined) return undefined;
  return { kind: 'message-status', ...about, status: delivery ? 'delivered' : 'read', until };
}

/** Yields what each update of an entry reports; undefined if it is irrelevant or unreadable. */
function* entryEvents(channel: Channel, value: unknown, now: number): Generator<SocialEvent | undefined> {
  const { data } = Entry.safeParse(value);
  if (!data) {
    yield undefined;
    return;
  }
  const { id: pageId, messaging = [], changes = [] } = data;
  const time = data.time.pastBy(now) ?? now;
  for (const one of messaging) yield messagingEvent(channel, pageId, one, now);
  for (const one of changes) yield commentEvent(channel, pageId, one, { time, now });
}

/**
 * The events; undefined unless one of the secrets has signed exactly these bytes. Irrelevant events are left out, and
 * so are all after the thousandth update: a synchronization finds what they are about.
 */
export function verifiedEvents(
  { headers, body }: SocialNotification,
  appSecrets: readonly string[],
  now: number,
): SocialEvent[] | undefined {
  const [, signature] = /^sha256=([0-9a-f]{64})$/.exec(headers['x-hub-signature-256'] ?? '') ?? [];
  if (signature === undefined || !isSignedWith(appSecrets, body, Buffer.from(signature, 'hex'))) return undefined;
  const { data } = Envelope.safeParse(jsonIn(body));
  if (!data) return [];
  const channel = data.object === 'page' ? 'facebook' : 'instagram';
  return data.entry
    .slice(0, maxUpdates)
    .values()
    .flatMap((entry) => entryEvents(channel, entry, now))
    .take(maxUpdates)
    .filter((event) => event !== undefined)
    .toArray();
}
