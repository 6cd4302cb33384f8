/** Builds the signed events of the sandbox, in Meta's documented format. */
import { createHmac } from 'node:crypto';
import { type EventSender, type EventSenderOptions, eventSender } from '../event-sender.ts';
import type { MetaChange } from './meta-world.ts';

const inSeconds = (at: number): number => Math.floor(at / 1000);

/** The two sides of a conversation in an event. */
const between = (from: string, to: string, at: number) => ({
  sender: { id: from },
  recipient: { id: to },
  timestamp: at,
});

const imageOf = (url: string | null) => (url === null ? {} : { attachments: [{ type: 'image', payload: { url } }] });

function messagingOf(change: Exclude<MetaChange, { kind: 'comment' }>): object {
  const { pageId, at } = change;
  if (change.kind === 'delivered' || change.kind === 'read') {
    const parties = between(change.personId, pageId, at);
    if (change.kind === 'delivered') return { ...parties, delivery: { mids: [change.messageId], watermark: at } };
    return { ...parties, read: change.channel === 'instagram' ? { mid: change.messageId } : { watermark: at } };
  }
  const { id: mid, isOwn, personId, text, imageUrl, at: sentAt } = change.message;
  const parties = isOwn ? between(pageId, personId, sentAt) : between(personId, pageId, sentAt);
  const echo = isOwn ? { is_echo: true } : {};
  if (change.kind === 'unsent') return { ...parties, message: { mid, is_deleted: true, ...echo } };
  return { ...parties, message: { mid, ...(text && { text }), ...imageOf(imageUrl), ...echo } };
}

function changeOf({ channel, comment, verb, author }: Extract<MetaChange, { kind: 'comment' }>): object | undefined {
  const { id, postId, parentId, text, at } = comment;
  if (channel === 'instagram') {
    const from = { id: author.id, username: author.username };
    const media = { id: postId, media_product_type: 'FEED' };
    const value = { id, text, from, media, ...(parentId !== null && { parent_id: parentId }) };
    return verb === 'add' ? { field: 'comments', value } : undefined;
  }
  const value = {
    item: 'comment',
    verb,
    comment_id: id,
    post_id: postId,
    parent_id: parentId ?? postId,
    from: { id: author.id, name: author.name },
    created_time: inSeconds(at),
    ...(verb !== 'remove' && { message: text }),
  };
  return { field: 'feed', value };
}

/** The body of an event; undefined if the channel has no such event. */
function eventBody(change: MetaChange): string | undefined {
  const { pageId, channel, at } = change;
  const object = channel === 'instagram' ? 'instagram' : 'page';
  if (change.kind !== 'comment') {
    if (change.kind === 'delivered' && channel === 'instagram') return undefined;
    const entry = { id: pageId, time: at, messaging: [messagingOf(change)] };
    return JSON.stringify({ object, entry: [entry] });
  }
  const content = changeOf(change);
  // An Instagram comment has no time of its own in events, so the event's time is used.
  const entry = { id: pageId, time: inSeconds(change.verb === 'add' ? change.comment.at : at), changes: [content] };
  return content && JSON.stringify({ object, entry: [entry] });
}

const fieldOf: Readonly<Record<MetaChange['kind'], readonly string[]>> = {
  message: ['messages'],
  unsent: ['messages'],
  delivered: ['message_deliveries'],
  read: ['message_reads', 'messaging_seen'],
  comment: ['comments', 'feed'],
};

export const isSubscribedTo = (fields: readonly string[], { kind }: MetaChange): boolean =>
  fieldOf[kind].some((field) => fields.includes(field));

export const metaEventSender = (
  options: Pick<EventSenderOptions<MetaChange>, 'path' | 'secret' | 'now' | 'lateMs'> & { readonly url: string },
): EventSender<MetaChange> =>
  eventSender({
    ...options,
    requestFor(change, _eventId, { secret }) {
      const body = eventBody(change);
      if (body === undefined) return undefined;
      const signature = createHmac('sha256', secret).update(body).digest('hex');
      const headers = { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` };
      return { url: options.url, headers, body };
    },
  });
