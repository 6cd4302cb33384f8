/** Conversations and messages of the inbox as they are stored, and the rules by which messages count as unread. */
import type { Channel } from '../../contracts/channels.ts';
import type { NetworkMessage, Participant } from '../../gateways/social-network.ts';

/** A page, and the account that has connected it. */
export interface OwnedPage {
  readonly accountId: string;
  readonly channel: Channel;
  readonly pageId: string;
}

export interface Message extends Omit<NetworkMessage, 'id'> {
  readonly messageId: string;
  /** The network's id. */
  readonly networkId: string;
  /** When it came into this copy. */
  readonly storedAt: number;
  /** The request that sent it. */
  readonly sentBy?: string | undefined;
}

export type LastMessage = Pick<Message, 'messageId' | 'direction' | 'text' | 'createdAt'>;

export interface Conversation extends OwnedPage {
  readonly conversationId: string;
  /** The network's id; unknown until a synchronization has seen the conversation. */
  readonly networkId?: string | undefined;
  readonly participant: Participant;
  /** When the network was last asked who the participant is. */
  readonly profileAskedAt?: number | undefined;
  readonly lastMessage: LastMessage | null;
  readonly lastInboundAt: number | null;
  /** Inbound messages after this time are unread; whoever answers has read what was there. */
  readonly readUntil: number;
  readonly unreadCount: number;
  /** When it was last marked as read. */
  readonly readAt?: number | undefined;
  /** Up to when the participant has received and read what the page wrote. */
  readonly deliveredUntil: number;
  readonly seenUntil: number;
  readonly updatedAt: number;
  /** Counts changes, so that none is lost. */
  readonly version: number;
}

/** What is reported of a participant: events name only the id. */
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
 * The conversation with a new message. One that the page wrote in between may have read some of what was unread: then
 * `countAfter` counts the stored messages after a time, all of which are inbound.
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

/** How long after a message of the participant the page may write. */
const replyWindowMs = 24 * 3_600_000;

/** Null if the participant never wrote. */
export const replyUntilOf = ({ lastInboundAt }: Pick<Conversation, 'lastInboundAt'>): number | null =>
  lastInboundAt === null ? null : lastInboundAt + replyWindowMs;

const ranks = { sent: 0, delivered: 1, read: 2, failed: 3 } as const;

type Status = Message['status'];

export const laterStatus = (one: Status, other: Status): Status => (ranks[one] >= ranks[other] ? one : other);

/** Of the participant's messages it says whether the page has read them. */
export function statusOf(
  { direction, status, createdAt }: Message,
  { readUntil, deliveredUntil, seenUntil }: Conversation,
): Status {
  if (direction === 'inbound') return createdAt > readUntil ? 'delivered' : 'read';
  if (createdAt <= seenUntil) return laterStatus(status, 'read');
  return createdAt <= deliveredUntil ? laterStatus(status, 'delivered') : status;
}
