/**
 * Stores conversations and messages, and lists them with a number of reads that is independent of how many there are.
 */
import * as z from 'zod';
import { channels } from '../../../contracts/channels.ts';
import { once } from '../../../contracts/once.ts';
import type { Action, Item, Table } from '../../../platform/dynamo-table.ts';
import {
  atTime,
  conversationKey,
  conversationsOwner,
  inboxIdIn,
  messageIdIn,
  messageKey,
  placedIdIn,
  placeKey,
  unreadConversations,
} from '../../inbox-keys.ts';
import { indexes } from '../../index-keys.ts';
import { expiryAttribute } from '../../keys.ts';
import { type ListRange, newestFirst } from '../../list-page.ts';
import { readableItems } from '../../readable-rows.ts';
import { parseRow } from '../../stored-row.ts';
import { removalExpiry } from '../pages/removal-expiry.ts';
import { inOrder } from '../synchronization/in-order.ts';
import { placesAfter, placesOf } from '../synchronization/places.ts';
import type { Conversation, Message } from './conversation.ts';

const direction = () => z.enum(['inbound', 'outbound']);

const LastMessageRow = () =>
  z.object({ messageId: z.string(), direction: direction(), text: z.string().nullable(), createdAt: z.int() });

const ConversationRow = once(() =>
  z.object({
    channel: z.enum(channels),
    pageId: z.string(),
    networkId: z.exactOptional(z.string()),
    participant: z.object({
      id: z.string(),
      username: z.string().nullable(),
      name: z.string().nullable(),
      avatarUrl: z.string().nullable(),
    }),
    profileAskedAt: z.exactOptional(z.int()),
    lastMessage: LastMessageRow().nullable(),
    lastInboundAt: z.int().nullable(),
    readUntil: z.int(),
    unreadCount: z.int().min(0),
    readAt: z.exactOptional(z.int()),
    deliveredUntil: z.int(),
    seenUntil: z.int(),
    updatedAt: z.int(),
    version: z.int(),
  } satisfies Record<Exclude<keyof Conversation, 'accountId' | 'conversationId'>, z.ZodType>),
);

const MessageRow = once(() =>
  z.object({
    networkId: z.string(),
    direction: direction(),
    text: z.string().nullable(),
    attachments: z.array(z.object({ type: z.string(), url: z.string() })),
    status: z.enum(['sent', 'delivered', 'read', 'failed']),
    createdAt: z.int(),
    storedAt: z.int(),
    sentBy: z.exactOptional(z.string()),
  } satisfies Record<Exclude<keyof Message, 'messageId'>, z.ZodType>),
);

const toConversation = (accountId: string, item: Item): Conversation => ({
  accountId,
  conversationId: inboxIdIn(item),
  ...parseRow('conversation', ConversationRow(), item),
});

const toMessage = (item: Item): Message => ({
  messageId: messageIdIn(item),
  ...parseRow('message', MessageRow(), item),
});

/** A marker for a removed message, so that a late report does not restore it. */
export interface RemovedMessage {
  readonly removedAt: number;
}

const isRemoved = (item: Item): boolean => item.removedAt !== undefined;

/** Saves a conversation, unless its version has changed since it was read; a new one has version 0. */
export function saveConversation({ accountId, conversationId, version, ...conversation }: Conversation): Action {
  const place = atTime(conversation.updatedAt, conversationId);
  return {
    Put: {
      Item: {
        ...conversationKey(accountId, conversationId),
        ...conversation,
        version: version + 1,
        [indexes.byOwner.pk]: conversationsOwner(accountId),
        [indexes.byOwner.sk]: place,
        ...(conversation.unreadCount > 0 && {
          [indexes.open.pk]: unreadConversations(accountId),
          [indexes.open.sk]: place,
        }),
      },
      ...(version === 0
        ? { ConditionExpression: 'attribute_not_exists(pk)' }
        : { ConditionExpression: 'version = :version', ExpressionAttributeValues: { ':version': version } }),
    },
  };
}

type Parent = Pick<Conversation, 'accountId' | 'conversationId'>;

const messageItem = ({ accountId, conversationId }: Parent, { messageId, ...message }: Message): Item => ({
  ...messageKey(accountId, conversationId, messageId),
  ...message,
});

/** Inserts a message and the row of its position; every change of messages goes with a change of their conversation. */
export const insertMessage = (parent: Parent, message: Message, removed?: RemovedMessage): Action[] => [
  {
    Put: {
      Item: messageItem(parent, message),
      ConditionExpression: removed ? 'attribute_exists(removedAt)' : 'attribute_not_exists(pk)',
    },
  },
  { Put: { Item: { ...placeKey(parent.accountId, parent.conversationId, message.createdAt, message.messageId) } } },
];

/** Replaces a message that has not been removed, unless a request has claimed it since it was read. */
export const replaceMessage = (parent: Parent, message: Message): Action => {
  const { sentBy } = message;
  const claim =
    sentBy === undefined
      ? { ConditionExpression: 'attribute_exists(networkId) AND attribute_not_exists(sentBy)' }
      : {
          ConditionExpression: 'attribute_exists(networkId) AND sentBy = :sentBy',
          ExpressionAttributeValues: { ':sentBy': sentBy },
        };
  return { Put: { Item: messageItem(parent, message), ...claim } };
};

/** Records which request sent a message that was already stored, unless it belongs to another request. */
export const claimMessage = (parent: Parent, message: Message, sentBy: string): Action => ({
  Put: {
    Item: messageItem(parent, { ...message, sentBy }),
    ConditionExpression: 'attribute_exists(networkId) AND attribute_not_exists(sentBy)',
  },
});

/** Removes a message, and marks it as removed in case it is reported later. */
export const removeMessageRows = (
  { accountId, conversationId }: Parent,
  messageId: string,
  known: Message | undefined,
  now: number,
): Action[] => [
  {
    Put: {
      Item: {
        ...messageKey(accountId, conversationId, messageId),
        removedAt: now,
        // A list can continue after a message that has been removed.
        ...(known && { createdAt: known.createdAt }),
        [expiryAttribute]: removalExpiry(now),
      },
      ConditionExpression: known ? 'attribute_exists(networkId)' : 'attribute_not_exists(pk)',
    },
  },
  ...(known ? [{ Delete: { Key: placeKey(accountId, conversationId, known.createdAt, messageId) } }] : []),
];

export interface ConversationStore {
  find(accountId: string, conversationId: string): Promise<Conversation | undefined>;
  /** The place of a conversation in the list, from which the list can continue. */
  place(accountId: string, conversationId: string): Promise<string | undefined>;
  /** Lists conversations, newest first; the list begins behind the place `after`. */
  list(accountId: string, filter: { readonly isUnread: boolean }, range: ListRange): Promise<Conversation[]>;
  /** Reads a conversation and some of its messages, which may have been removed. */
  read(
    accountId: string,
    conversationId: string,
    messageIds: readonly string[],
  ): Promise<{
    readonly conversation: Conversation | undefined;
    readonly messages: ReadonlyMap<string, Message | RemovedMessage>;
  }>;
  /**
   * The place of a message in its conversation, from which the list can continue even if the message was removed a
   * short time ago.
   */
  messagePlace(accountId: string, conversationId: string, messageId: string): Promise<string | undefined>;
  /**
   * The ids of messages, newest first, including those stored a moment ago; the list begins after the position `after`.
   */
  messageIds(accountId: string, conversationId: string, range: ListRange): Promise<string[]>;
  messages(accountId: string, conversationId: string, messageIds: readonly string[]): Promise<Message[]>;
  /** The number of messages that are later than a given time. */
  countAfter(accountId: string, conversationId: string, time: number): Promise<number>;
}

const listed = (accountId: string, isUnread: boolean, after: string | undefined) =>
  isUnread
    ? newestFirst({ index: 'open', pk: unreadConversations(accountId), after })
    : newestFirst({ index: 'byOwner', pk: conversationsOwner(accountId), after });

/** Finds places: the sort keys of conversations and messages in their lists. */
const places = (table: Table): Pick<ConversationStore, 'place' | 'messagePlace' | 'messageIds' | 'countAfter'> => ({
  async place(accountId, conversationId) {
    const item = await table.get(conversationKey(accountId, conversationId));
    return item && String(item[indexes.byOwner.sk]);
  },
  async messagePlace(accountId, conversationId, messageId) {
    const { createdAt } = (await table.get(messageKey(accountId, conversationId, messageId))) ?? {};
    return createdAt === undefined ? undefined : placeKey(accountId, conversationId, Number(createdAt), messageId).sk;
  },
  async messageIds(accountId, conversationId, range) {
    const { pk } = conversationKey(accountId, conversationId);
    return (await table.list(placesOf(pk, range.after), range)).map(placedIdIn);
  },
  async countAfter(accountId, conversationId, time) {
    const { pk } = conversationKey(accountId, conversationId);
    return (await Array.fromAsync(table.walk(placesAfter(pk, time)))).length;
  },
});

export function conversationStore(table: Table): ConversationStore {
  const messages: ConversationStore['messages'] = async (accountId, conversationId, ids) => {
    if (ids.length === 0) return [];
    const items = await table.getMany(ids.map((id) => messageKey(accountId, conversationId, id)));
    const stored = items.filter((item) => !isRemoved(item));
    const found = readableItems(table, 'message', stored, toMessage);
    return inOrder(ids, found, ({ messageId }) => messageId);
  };
  return {
    ...places(table),
    messages,
    async find(accountId, conversationId) {
      const item = await table.get(conversationKey(accountId, conversationId));
      return item && toConversation(accountId, item);
    },
    async list(accountId, { isUnread }, range) {
      const keys = await table.list(listed(accountId, isUnread, range.after), range);
      if (keys.length === 0) return [];
      const ids = keys.map(inboxIdIn);
      const items = await table.getMany(ids.map((id) => conversationKey(accountId, id)));
      // The index may lag. Conversations known only from a receipt sort last and are left out.
      const found = readableItems(table, 'conversation', items, (item) => toConversation(accountId, item)).filter(
        ({ unreadCount, updatedAt }) => updatedAt > 0 && (!isUnread || unreadCount > 0),
      );
      return inOrder(ids, found, ({ conversationId }) => conversationId);
    },
    async read(accountId, conversationId, ids) {
      const parent = conversationKey(accountId, conversationId);
      const keys = ids.map((id) => messageKey(accountId, conversationId, id));
      const items = await table.getMany([parent, ...keys]);
      const own = items.find(({ sk }) => sk === parent.sk);
      const others = items.filter((item) => item !== own);
      return {
        conversation: own && toConversation(accountId, own),
        messages: new Map(
          others.map((item) => [
            messageIdIn(item),
            isRemoved(item) ? { removedAt: Number(item.removedAt) } : toMessage(item),
          ]),
        ),
      };
    },
  };
}
