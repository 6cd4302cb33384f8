/**
 * The keys of the inbox: part of the schema of the single table, see `keys.ts`.
 *
 * | Entity       | pk                                   | sk                | index                                                              |
 * |--------------|--------------------------------------|-------------------|--------------------------------------------------------------------|
 * | Connection   | CONNECTIONS#accountId                | channel           | open: OPEN-CONNECTIONS, by its next synchronization                |
 * | Page         | PAGE#channel#pageId                  | PAGE              |                                                                    |
 * | User         | PAGE#channel#userId                  | USER#accountId    |                                                                    |
 * | Conversation | INBOX#accountId#conversationId       | CONVERSATION      | byOwner CONVERSATIONS#accountId; unread ones also open UNREAD#accountId |
 * | Message      | INBOX#accountId#conversationId       | MESSAGE#messageId |                                                                    |
 * | Post         | INBOX#accountId#postId               | POST              | byOwner POSTS#accountId, or UNLISTED-POSTS#accountId               |
 * | Comment      | INBOX#accountId#postId               | COMMENT#commentId |                                                                    |
 * | Erasure      | ERASURE#confirmationCode             | ERASURE           |                                                                    |
 * | Consent      | CONSENTS#sha256(session cookie)      | channel           |                                                                    |
 * | Place        | as the message or comment            | AT#time#id        |                                                                    |
 *
 * The indexes sort by time and id. A place is a row that consists of its key alone: it gives a message or comment its
 * position in time, so that lists are complete at once and newer entries can be counted. A page belongs to one account
 * only, which its row names. A user of the network may have connected pages to several accounts, and has a row for each.
 */
import { createHash } from 'node:crypto';
import type { Channel } from '../contracts/channels.ts';
import type { Key } from '../platform/dynamo-table.ts';
import { checkTime } from './index-keys.ts';

type RowKey<Pk extends string, Sk extends string> = Key & { readonly pk: Pk; readonly sk: Sk };

/**
 * The public id for an id of a page's social network, or for the conversation with a participant. It is derived from
 * the social network's id, so that events, synchronizations and the service's own writes result in the same public id.
 */
export const inboxIdOf = ({ channel, pageId }: { channel: Channel; pageId: string }, networkId: string): string =>
  createHash('sha256')
    .update(JSON.stringify([channel, pageId, networkId]))
    .digest()
    .subarray(0, 16)
    .toString('base64url');

export const connectionKey = (accountId: string, channel: Channel) =>
  ({ pk: `CONNECTIONS#${accountId}`, sk: channel }) as const satisfies RowKey<`CONNECTIONS#${string}`, Channel>;

export const pageKey = (channel: Channel, pageId: string) =>
  ({ pk: `PAGE#${channel}#${pageId}`, sk: 'PAGE' }) as const satisfies RowKey<`PAGE#${string}#${string}`, 'PAGE'>;

/** The key of the social-network user who connected a page to an account. */
export const pageUserKey = (channel: Channel, userId: string, accountId: string) =>
  ({ pk: pageKey(channel, userId).pk, sk: `USER#${accountId}` }) as const satisfies RowKey<
    `PAGE#${string}#${string}`,
    `USER#${string}`
  >;

type InboxPk = `INBOX#${string}#${string}`;

/** The partition of a conversation and its messages, or of a post and its comments. */
const inboxPk = (accountId: string, id: string) => `INBOX#${accountId}#${id}` as const;

export const conversationKey = (accountId: string, conversationId: string) =>
  ({ pk: inboxPk(accountId, conversationId), sk: 'CONVERSATION' }) as const satisfies RowKey<InboxPk, 'CONVERSATION'>;

const messagePrefix = 'MESSAGE#';

export const messageKey = (accountId: string, conversationId: string, messageId: string) =>
  ({ pk: inboxPk(accountId, conversationId), sk: `${messagePrefix}${messageId}` }) as const satisfies RowKey<
    InboxPk,
    `MESSAGE#${string}`
  >;

export const postKey = (accountId: string, postId: string) =>
  ({ pk: inboxPk(accountId, postId), sk: 'POST' }) as const satisfies RowKey<InboxPk, 'POST'>;

const commentPrefix = 'COMMENT#';

export const commentKey = (accountId: string, postId: string, commentId: string) =>
  ({ pk: inboxPk(accountId, postId), sk: `${commentPrefix}${commentId}` }) as const satisfies RowKey<
    InboxPk,
    `COMMENT#${string}`
  >;

export const placePrefix = 'AT#';

/** The row that gives a message its position in a conversation, or a comment its position below a post. */
export const placeKey = (accountId: string, parentId: string, at: number, id: string) =>
  ({ pk: inboxPk(accountId, parentId), sk: `${placePrefix}${atTime(at, id)}` }) as const satisfies RowKey<
    InboxPk,
    `AT#${string}`
  >;

/** The key of an erasure, by the confirmation code with which its progress can be checked. */
export const erasureKey = (confirmationCode: string) =>
  ({ pk: `ERASURE#${confirmationCode}`, sk: 'ERASURE' }) as const satisfies RowKey<`ERASURE#${string}`, 'ERASURE'>;

/** The key of a consent that a social network asks for, by the digest of the session. */
export const consentKey = (sessionDigest: string, channel: Channel) =>
  ({ pk: `CONSENTS#${sessionDigest}`, sk: channel }) as const satisfies RowKey<`CONSENTS#${string}`, Channel>;

export const consentChannelOf = (key: { readonly sk?: unknown }): Channel => String(key.sk) as Channel;

export const conversationsOwner = (accountId: string) => `CONVERSATIONS#${accountId}` as const;
/** An account's conversations with unread messages, in the index `open`. */
export const unreadConversations = (accountId: string) => `UNREAD#${accountId}` as const;
export const postsOwner = (accountId: string) => `POSTS#${accountId}` as const;
/** An account's posts that are not listed: those without comments, and those known only by id. */
export const unlistedPostsOwner = (accountId: string) => `UNLISTED-POSTS#${accountId}` as const;
/** Connections that are synchronized, in the index `open`. */
export const openConnections = 'OPEN-CONNECTIONS' as const;

/** The sort key of a row in an index that sorts by time; the id distinguishes rows with the same time. */
export const atTime = (at: number, id: string) => `${checkTime(at)}#${id}` as const;

/** Extracts the id from a key, for results of a keys-only index. */
export const inboxIdIn = (key: { readonly pk?: unknown }): string => String(key.pk).split('#')[2] ?? '';
export const placedIdIn = (key: { readonly sk?: unknown }): string => String(key.sk).split('#')[2] ?? '';
export const messageIdIn = (key: { readonly sk?: unknown }): string => String(key.sk).slice(messagePrefix.length);
export const commentIdIn = (key: { readonly sk?: unknown }): string => String(key.sk).slice(commentPrefix.length);
/** Extracts the account and channel of a connection from its key. */
export const connectionOf = (key: { readonly pk?: unknown; readonly sk?: unknown }) => ({
  accountId: String(key.pk).slice('CONNECTIONS#'.length),
  channel: String(key.sk) as Channel,
});
