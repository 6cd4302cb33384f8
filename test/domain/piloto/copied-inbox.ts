/** The stored copy of one page's inbox, and whether its counts match its rows. */
import {
  conversationKey,
  conversationsOwner,
  inboxIdIn,
  placedIdIn,
  postKey,
  postsOwner,
  unlistedPostsOwner,
  unreadConversations,
} from '../../../shared/domain/inbox-keys.ts';
import { indexes } from '../../../shared/domain/index-keys.ts';
import type { Comment, Post } from '../../../shared/domain/piloto/comments/post.ts';
import { postStore } from '../../../shared/domain/piloto/comments/post-store.ts';
import { type Conversation, lastOf, type Message } from '../../../shared/domain/piloto/conversations/conversation.ts';
import { conversationStore } from '../../../shared/domain/piloto/conversations/conversation-store.ts';
import type { Table } from '../../../shared/platform/dynamo-table.ts';

const all = { limit: 100, offset: 0 };

const idsIn = async (table: Table, index: 'byOwner' | 'open', owner: string): Promise<string[]> => {
  const keys = await Array.fromAsync(
    table.walk({
      IndexName: index,
      KeyConditionExpression: '#pk = :pk',
      ExpressionAttributeNames: { '#pk': indexes[index].pk },
      ExpressionAttributeValues: { ':pk': owner },
    }),
  );
  return keys.map(inboxIdIn);
};

/** The rows of a partition below its first row: positions, and the rows that they refer to. */
async function placed(table: Table, pk: string): Promise<string[]> {
  const rows = await Array.fromAsync(
    table.walk({ KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk } }),
  );
  return rows.filter(({ sk }) => String(sk).startsWith('AT#')).map(placedIdIn);
}

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

export interface CopiedConversation {
  readonly conversation: Conversation;
  /** The messages, newest first. */
  readonly messages: readonly Message[];
}

/** The problems of a conversation, whose counts are an invariant. */
function conversationProblems({ conversation, messages }: CopiedConversation, isListedUnread: boolean): string[] {
  const { readUntil, unreadCount, lastMessage, lastInboundAt } = conversation;
  const inbound = messages.filter(({ direction }) => direction === 'inbound');
  const written = messages.filter(({ direction }) => direction === 'outbound').map(({ createdAt }) => createdAt);
  const unread = inbound.filter(({ createdAt }) => createdAt > readUntil);
  const newest = messages[0] && lastOf(messages[0]);
  return [
    ...(unreadCount === unread.length ? [] : [`${unreadCount} unread instead of ${unread.length}`]),
    ...(isListedUnread === unreadCount > 0 ? [] : ['listed among the unread ones although it is not']),
    ...(isEqual(lastMessage, newest ?? null) ? [] : ['the last message is another one']),
    ...(readUntil >= Math.max(0, ...written) ? [] : ['who answered has not read']),
    ...((lastInboundAt ?? 0) >= Math.max(0, ...inbound.map(({ createdAt }) => createdAt)) ? [] : ['window too short']),
  ];
}

export async function copiedConversations(table: Table, accountId: string) {
  const store = conversationStore(table);
  const unread = new Set(await idsIn(table, 'open', unreadConversations(accountId)));
  const found: CopiedConversation[] = [];
  const problems: string[] = [];
  for (const id of await idsIn(table, 'byOwner', conversationsOwner(accountId))) {
    const conversation = await store.find(accountId, id);
    if (!conversation) continue;
    const ids = await store.messageIds(accountId, id, all);
    const copied = { conversation, messages: await store.messages(accountId, id, ids) };
    found.push(copied);
    problems.push(...conversationProblems(copied, unread.has(id)));
    const places = await placed(table, conversationKey(accountId, id).pk);
    if (places.length !== copied.messages.length) problems.push('a message without a place, or a place without one');
  }
  return { found, problems };
}

export interface CopiedPost {
  readonly post: Post;
  /** The comments, newest first. */
  readonly comments: readonly Comment[];
}

function postProblems({ post, comments }: CopiedPost): string[] {
  const answered = new Set(comments.filter(({ isOwn }) => isOwn).map(({ parentId }) => parentId));
  const waiting = comments.filter(
    ({ isOwn, parentId, hidden, commentId }) => !isOwn && parentId === null && !hidden && !answered.has(commentId),
  );
  return [
    ...(post.commentCount === comments.length ? [] : [`${post.commentCount} comments instead of ${comments.length}`]),
    ...(post.unansweredCount === waiting.length ? [] : [`${post.unansweredCount} unanswered, not ${waiting.length}`]),
    ...(post.lastCommentAt === (comments[0]?.createdAt ?? null) ? [] : ['the last comment is another one']),
  ];
}

export async function copiedPosts(table: Table, accountId: string) {
  const store = postStore(table);
  const listed = await idsIn(table, 'byOwner', postsOwner(accountId));
  const unlisted = await idsIn(table, 'byOwner', unlistedPostsOwner(accountId));
  const found: CopiedPost[] = [];
  const problems: string[] = [];
  for (const id of [...listed, ...unlisted]) {
    const post = await store.find(accountId, id);
    if (!post) continue;
    const ids = await store.commentIds(accountId, id, all);
    const copied = { post, comments: await store.comments(accountId, id, ids) };
    found.push(copied);
    problems.push(...postProblems(copied));
    const isShown = post.details !== undefined && post.commentCount > 0;
    if (listed.includes(id) !== isShown) problems.push('a post is listed that should not be, or is not');
    const places = await placed(table, postKey(accountId, id).pk);
    if (places.length !== copied.comments.length) problems.push('a comment without a place, or a place without one');
  }
  return { found, problems };
}
