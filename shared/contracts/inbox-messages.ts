/** Messages of the inbox queue: connections that are due, and events that could not be processed on arrival. */
import * as z from 'zod';
import { channels } from './channels.ts';
import { id } from './fields.ts';
import { once } from './once.ts';

const time = () => z.int().min(0);

const ofPage = { channel: z.enum(channels), pageId: z.string().min(1) };

const Message = once(() =>
  z.object({
    id: z.string(),
    direction: z.enum(['inbound', 'outbound']),
    text: z.string().nullable(),
    attachments: z.array(z.object({ type: z.string(), url: z.string() })),
    status: z.enum(['sent', 'delivered', 'read', 'failed']),
    createdAt: time(),
  }),
);

const Comment = once(() =>
  z.object({
    id: z.string(),
    postId: z.string(),
    parentId: z.string().nullable(),
    author: z.object({ id: z.string(), username: z.string() }),
    isOwn: z.boolean(),
    text: z.string(),
    hidden: z.boolean(),
    liked: z.boolean(),
    likeCount: z.int().min(0),
    createdAt: time(),
  }),
);

const Event = once(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('message'), ...ofPage, participantId: z.string(), message: Message() }),
    z.object({
      kind: z.literal('message-status'),
      ...ofPage,
      participantId: z.string(),
      status: z.enum(['delivered', 'read']),
      until: time(),
    }),
    z.object({ kind: z.literal('message-deleted'), ...ofPage, participantId: z.string(), messageId: z.string() }),
    z.object({
      kind: z.literal('comment'),
      ...ofPage,
      comment: Comment(),
      change: z.exactOptional(z.object({ what: z.enum(['hidden', 'text']), at: time() })),
    }),
    z.object({ kind: z.literal('comment-deleted'), ...ofPage, postId: z.string(), commentId: z.string() }),
  ]),
);

export const InboxMessage = once(() =>
  z.discriminatedUnion('kind', [
    /** Does whatever is due for a connection: synchronizes its page, or erases its stored copy. */
    z.object({ kind: z.literal('work'), accountId: id(), channel: z.enum(channels) }),
    z.object({ kind: z.literal('events'), events: z.array(Event()).min(1) }),
    /** Fetches the profile of a participant from the social network. */
    z.object({ kind: z.literal('participant'), accountId: id(), channel: z.enum(channels), participantId: z.string() }),
  ]),
);
export type InboxMessage = z.output<ReturnType<typeof InboxMessage>>;
