/** Comments on a post or replies to a comment as a page, once per idempotency key. */
import { pilotoCommentContracts } from '../../../contracts/piloto-comments.ts';
import type { NetworkComment, PageAccess } from '../../../gateways/social-network.ts';
import type { Idempotency } from '../../idempotency/idempotency.ts';
import { type Attempt, runOnce } from '../../idempotency/run-once.ts';
import { inboxIdOf } from '../../inbox-keys.ts';
import { Rejection } from '../../rejection.ts';
import {
  isBefore,
  type Lost,
  mayBeSentBy,
  requireArrivalOver,
  searchParts,
  stillUnknown,
} from '../conversations/find-sent.ts';
import type { WriteNeeds } from '../conversations/send-message.ts';
import { withPages, writableConnection } from '../pages/connected-pages.ts';
import type { Connection } from '../pages/connection.ts';
import { presentComment } from '../present-inbox.ts';
import { writeToNetwork } from '../write-to-network.ts';
import { type Comment, type Post, withChangedComment, withComment } from './post.ts';
import { postStore, savePostChange } from './post-store.ts';

const contract = pilotoCommentContracts.replyToComment;

interface ReplyRequest {
  readonly accountId: string;
  readonly postId: string;
  readonly text: string;
  readonly commentId?: string | undefined;
  readonly idempotency: Idempotency | undefined;
}

/** A reply, and the post or comment that it belongs to. */
interface Reply {
  readonly post: Post;
  readonly connection: Connection;
  /** The parent comment; undefined for a comment on the post itself. */
  readonly parent: Comment | undefined;
  readonly text: string;
}

interface Sent {
  readonly outsideKey: string;
  readonly networkId: string;
  readonly createdAt: number;
}

/**
 * The parent of a reply. Replies have one level only, so a reply to a reply goes to the top comment. @throws
 * {Rejection} not-found
 */
async function parentOf({ table }: WriteNeeds, { accountId, postId }: Post, commentId: string | undefined) {
  if (commentId === undefined) return undefined;
  const store = postStore(table);
  const [comment] = await store.comments(accountId, postId, [commentId]);
  if (!comment) throw new Rejection('not-found', { message: 'There is no comment with this id on the post.' });
  if (comment.parentId === null) return comment;
  const [above] = await store.comments(accountId, postId, [comment.parentId]);
  return above ?? comment;
}

/**
 * Finds a comment that an earlier, lost call of this request may have written and that no other request has claimed.
 */
async function findSent(needs: WriteNeeds, access: PageAccess, { post, parent }: Reply, lost: Lost) {
  const store = postStore(needs.table);
  const isFree = async ({ id }: NetworkComment) => {
    const commentId = inboxIdOf(post, id);
    const [known] = await store.comments(post.accountId, post.postId, [commentId]);
    return known?.sentBy === undefined || known.sentBy === lost.outsideKey;
  };
  const { socialNetwork } = needs;
  const { networkId: postId } = post;
  const commentId = parent?.networkId;
  return searchParts({
    list: (cursor) =>
      commentId === undefined
        ? socialNetwork.comments(access, postId, cursor)
        : socialNetwork.replies(access, { postId, commentId }, cursor),
    isIt: (comment) =>
      comment.isOwn && comment.parentId === (commentId ?? null) && mayBeSentBy(lost, comment) && isFree(comment),
    timeOf: ({ createdAt }) => createdAt,
    // Comments on the post are sorted by time, with their replies in between.
    isEnd: ({ parentId, createdAt }) => commentId === undefined && parentId === null && isBefore(lost, createdAt),
  });
}

function sentComment({ post, connection, parent, text }: Reply, sent: Sent, now: number): Comment {
  const { outsideKey, networkId, createdAt } = sent;
  return {
    commentId: inboxIdOf(post, networkId),
    networkId,
    parentId: parent?.commentId ?? null,
    author: { id: connection.pageId, username: connection.username ?? connection.name },
    isOwn: true,
    text,
    hidden: false,
    liked: false,
    likeCount: 0,
    createdAt,
    storedAt: now,
    sentBy: outsideKey,
  };
}

/**
 * The writes that store a sent comment. An event or a synchronization may have stored it already, and a retry of
 * another request with the same text may have claimed it.
 * @throws {Rejection} in-progress, if a retry of this request can find another comment
 */
async function commitSent({ clock, table }: WriteNeeds, reply: Reply, sent: Sent, isRepeated: boolean) {
  const { accountId, postId } = reply.post;
  const comment = sentComment(reply, sent, clock.now());
  const ids = [comment.commentId, ...(reply.parent ? [reply.parent.commentId] : [])];
  const { post, rows } = await postStore(table).readWithParents(accountId, postId, ids);
  const before = { post: post ?? reply.post, rows };
  const row = rows.get(comment.commentId);
  const known = row?.comment;
  if (isRepeated && known?.sentBy !== undefined && known.sentBy !== sent.outsideKey) throw stillUnknown();
  // If the comment was removed or the page disconnected meanwhile, the request has still succeeded.
  const isStored = !post || row?.removedAt !== undefined || known?.sentBy !== undefined;
  const claimed = known && { ...known, isOwn: true, sentBy: sent.outsideKey };
  const after = row && claimed ? withChangedComment(before, row, claimed) : withComment(before, comment);
  const actions = isStored ? [] : savePostChange(before, after);
  return {
    writes: actions.map((action) => ({ action, mayBeStale: true as const })),
    data: presentComment(claimed ?? comment),
  };
}

/**
 * Writes the comment and returns it, or the response of an earlier request. @throws {Rejection} switched-off,
 * forbidden, not-found, invalid, dependency-unavailable, in-progress, other-body
 */
export async function replyToComment(needs: WriteNeeds, request: ReplyRequest) {
  const { accountId, postId, text, commentId, idempotency } = request;
  const reading = postStore(needs.table).find(accountId, postId);
  const { connections, read: post } = await withPages(needs, contract, accountId, reading);
  if (!post) throw new Rejection('not-found');
  const connection = writableConnection(connections, post);
  const parent = await parentOf(needs, post, commentId);
  const reply: Reply = { post, connection, parent, text };
  const asked = { field: 'text', action: 'write comments' } as const;
  const work = {
    isRepeatable: false,
    call: (outsideKey: string, attempt: Attempt): Promise<Sent> =>
      writeToNetwork(needs, connection, asked, async (access) => {
        const lost = attempt.isInherited
          ? await findSent(needs, access, reply, { outsideKey, text, lastCall: attempt })
          : undefined;
        if (lost) return { outsideKey, networkId: lost.id, createdAt: lost.createdAt };
        requireArrivalOver(needs.clock, attempt);
        if (attempt.isInherited) await attempt.recordCall();
        const createdAt = needs.clock.now();
        const to = { postId: post.networkId, commentId: parent?.networkId };
        const { id } = await needs.socialNetwork.reply(access, to, text);
        return { outsideKey, networkId: id, createdAt };
      }),
    commit: (sent: Sent) => commitSent(needs, reply, sent, idempotency !== undefined),
  };
  return runOnce(needs, { accountId, contract, idempotency }, work);
}
