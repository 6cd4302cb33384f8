/** Stored conversations and messages of the inbox, and the rules by which messages count as unread. */
import type { Channel } from '../../../contracts/channels.ts';
import type { NetworkMessage, Participant } from '../../../gateways/social-network.ts';

/** A page and the account that has connected it. */
export interface OwnedPage {
  readonly accountId: string;
  readonly channel: Channel;
  readonly pageId: string;
}

export interface Message extends Omit<NetworkMessage, 'id'> {
  readonly messageId: string;
  /** The social network's id of the message. */
  readonly networkId: string;
  /** When the message was stored in this copy. */
  readonly storedAt: number;
  /** The request that sent the message. */
  readonly sentBy?: string | undefined;
}

export type LastMessage = Pick<Message, 'messageId' | 'direction' | 'text' | 'createdAt'>;

export interface Conversation extends OwnedPage {
  readonly conversationId: string;
  /** The social network's id of the conversation; unknown until a synchronization has read it. */
  readonly networkId?: string | undefined;
  readonly participant: Participant;
  /** When the participant's profile was last requested from the social network. */
  readonly profileAskedAt?: number | undefined;
  readonly lastMessage: LastMessage | null;
  readonly lastInboundAt: number | null;
  /** Inbound messages after this time are unread; a reply marks everything before it as read. */
  readonly readUntil: number;
  readonly unreadCount: number;
  /** When the conversation was last marked as read. */
  readonly readAt?: number | undefined;
  /** The times up to which the participant has received and read the page's messages. */
  readonly deliveredUntil: number;
  readonly seenUntil: number;
  readonly updatedAt: number;
  /** The version, which each change increments, so that no concurrent change is lost. */
  readonly version: number;
}

/** What is known of a participant; events contain only the id. */
export type KnownParticipant = Pick<Participant, 'id'> & Partial<Participant>;

export const newConversation = (
  { accountId, channel, pageId }: OwnedPage,
  conversationId: string,
  { id }: KnownParticipant,
): Conversation => ({
  accountId,
  channel,
  pageId,
  conversationId,
  participant: { id, username: null, name: null, avatarUrl: null },
  lastMessage: null,
  lastInboundAt: null,
  readUntil: 0,
  unreadCount: 0,
  deliveredUntil: 0,
  seenUntil: 0,
  updatedAt: 0,
  version: 0,
});

export const isUnread = (
  { direction, createdAt }: Pick<Message, 'direction' | 'createdAt'>,
  { readUntil }: Pick<Conversation, 'readUntil'>,
): boolean => direction === 'inbound' && createdAt > readUntil;

const isNewer = (one: LastMessage, other: LastMessage): boolean =>
  one.createdAt === other.createdAt ? one.messageId > other.messageId : one.createdAt > other.createdAt;

export const lastOf = ({ messageId, direction, text, createdAt }: Message): LastMessage => ({
  messageId,
  direction,
  text,
  createdAt,
});

/**
 * The conversation with a new message. If a reply of the page lies in between, it may have marked unread messages as
 * read; then `countAfter` counts the stored messages after a time, all of which are inbound.
 */
export async function withMessage(
  conversation: Conversation,
  message: Message,
  countAfter: (time: number) => Promise<number>,
): Promise<Conversation> {
  const { lastMessage, lastInboundAt, readUntil, unreadCount } = conversation;
  const last = lastOf(message);
  const newest = lastMessage && isNewer(lastMessage, last) ? lastMessage : last;
  const next = { ...conversation, lastMessage: newest, updatedAt: newest.createdAt };
  if (message.direction === 'inbound') {
    const isNew = isUnread(message, conversation);
    return {
      ...next,
      lastInboundAt: Math.max(lastInboundAt ?? 0, message.createdAt),
      unreadCount: unreadCount + (isNew ? 1 : 0),
    };
  }
  if (message.createdAt <= readUntil) return next;
  const isLate = newest.createdAt > message.createdAt;
  return { ...next, readUntil: message.createdAt, unreadCount: isLate ? await countAfter(message.createdAt) : 0 };
}

/** How long after a participant's message the page may reply. */
const replyWindowMs = 24 * 3_600_000;

/** Until when the page may reply; null if the participant has never written. */
export const replyUntilOf = ({ lastInboundAt }: Pick<Conversation, 'lastInboundAt'>): number | null =>
  lastInboundAt === null ? null : lastInboundAt + replyWindowMs;

const ranks = { sent: 0, delivered: 1, read: 2, failed: 3 } as const;

type Status = Message['status'];

export const laterStatus = (one: Status, other: Status): Status => (ranks[one] >= ranks[other] ? one : other);

/** The status of a message; for inbound messages, it says whether the page has read them. */
export function statusOf(
  { direction, status, createdAt }: Message,
  { readUntil, deliveredUntil, seenUntil }: Conversation,
): Status {
  if (direction === 'inbound') return createdAt > readUntil ? 'delivered' : 'read';
  if (createdAt <= seenUntil) return laterStatus(status, 'read');
  return createdAt <= deliveredUntil ? laterStatus(status, 'delivered') : status;
}
