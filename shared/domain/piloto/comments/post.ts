/** Stored posts and comments of the inbox, and the rules by which comments count as unanswered. */
import { isDeepStrictEqual } from 'node:util';
import type { NetworkComment, NetworkPost } from '../../../gateways/social-network.ts';
import type { OwnedPage } from '../conversations/conversation.ts';

export interface Comment extends Omit<NetworkComment, 'id' | 'postId' | 'parentId'> {
  readonly commentId: string;
  /** The social network's id of the comment. */
  readonly networkId: string;
  /** The stored id of the parent comment, if this comment is a reply. */
  readonly parentId: string | null;
  /** When the comment was stored in this copy. */
  readonly storedAt: number;
  /** When a request last changed `hidden`, or the social network reported a change. */
  readonly hiddenAt?: number | undefined;
  /** When a request last changed `liked`. */
  readonly likedAt?: number | undefined;
  /** When the social network reported that the text was edited. */
  readonly editedAt?: number | undefined;
  /** The request that wrote the comment. */
  readonly sentBy?: string | undefined;
}

/** The row of a comment, which can exist before the comment is reported and after it is removed. */
export interface CommentRow {
  readonly commentId: string;
  /** How many replies the page has written. */
  readonly ownReplies: number;
  /** When a removed comment was written; kept so that a list can continue after it. */
  readonly createdAt?: number | undefined;
  readonly removedAt?: number | undefined;
  readonly comment?: Comment | undefined;
}

/** The number of comments on a post that the social network counted before it listed them. */
export interface CommentCount {
  readonly comments: number;
  /**
   * How many more comments the social network counted than it listed when they were last read completely; some are
   * hidden.
   */
  readonly unlisted: number;
  /**
   * Whether the count can be relied on: the copy had as many comments as expected, or was read twice, since lists may
   * lag behind counts.
   */
  readonly isSettled: boolean;
}

export interface Post extends OwnedPage {
  readonly postId: string;
  /** The social network's id of the post. */
  readonly networkId: string;
  /** The post's details; absent until a synchronization has read the post. */
  readonly details?: Pick<NetworkPost, 'caption' | 'thumbnailUrl' | 'permalink'> | undefined;
  readonly commentCount: number;
  readonly unansweredCount: number;
  readonly lastCommentAt: number | null;
  /** The social network's count when the comments were last copied. */
  readonly counted?: CommentCount | undefined;
  /** The version, which each change of the post or its comments increments, so that no concurrent change is lost. */
  readonly version: number;
}

export const newPost = ({ accountId, channel, pageId }: OwnedPage, postId: string, networkId: string): Post => ({
  accountId,
  channel,
  pageId,
  postId,
  networkId,
  commentCount: 0,
  unansweredCount: 0,
  lastCommentAt: null,
  version: 0,
});

/** Whether the social network's list is expected to continue with comments to copy or to compare. */
export function isMoreListed({ counted, commentCount }: Post, comments: number): boolean {
  const missing = comments - commentCount;
  if (!counted) return missing !== 0;
  return missing > counted.unlisted || (missing < counted.unlisted && comments < counted.comments);
}

/** Records the number of comments that the social network counted before it listed them, completely or in part. */
export function withCount(post: Post, comments: number, isWhole: boolean): Post {
  const { counted, commentCount } = post;
  const missing = comments - commentCount;
  const known = counted?.unlisted ?? 0;
  // If fewer comments are missing than before, they arrived late. If the copy has more than were counted, some were
  // written in the meantime.
  const late = known > 0 ? Math.min(known, Math.max(0, missing)) : known;
  const next: CommentCount = {
    comments,
    unlisted: isWhole ? missing : late,
    isSettled: missing === 0 || missing === known || counted?.comments === comments,
  };
  return isDeepStrictEqual(counted, next) ? post : { ...post, counted: next };
}

/** Whether the social network's count is the same as when the comments were copied. */
export const isCopied = ({ counted }: Post, { commentCount }: Pick<NetworkPost, 'commentCount'>): boolean =>
  counted?.isSettled === true && counted.comments === commentCount;

/** The row of a comment of which nothing is stored. */
export const newCommentRow = (commentId: string): CommentRow => ({ commentId, ownReplies: 0 });

/**
 * Whether a comment awaits an answer: a visible comment on the post itself, not written by the page.
 */
const isUnanswered = ({ comment, ownReplies }: CommentRow): boolean =>
  comment !== undefined && !comment.isOwn && comment.parentId === null && !comment.hidden && ownReplies === 0;

/** A post and the rows of its comments that change together. */
export interface PostChange {
  readonly post: Post;
  /** The rows that were read, as they are after the change, by comment id. */
  readonly rows: ReadonlyMap<string, CommentRow>;
}

function rowIn({ rows }: PostChange, commentId: string): CommentRow {
  const row = rows.get(commentId);
  if (!row) throw new Error('the row of a comment has not been read');
  return row;
}

/** Adds a changed row of a comment to the changes of its post. */
export function withRow(change: PostChange, row: CommentRow): PostChange {
  const { post, rows } = change;
  const before = rowIn(change, row.commentId);
  const difference = (is: (one: CommentRow) => boolean) => (is(row) ? 1 : 0) - (is(before) ? 1 : 0);
  const next: Post = {
    ...post,
    commentCount: post.commentCount + difference(({ comment }) => comment !== undefined),
    unansweredCount: post.unansweredCount + difference(isUnanswered),
  };
  return { post: next, rows: new Map(rows).set(row.commentId, row) };
}

function withReplies(change: PostChange, { isOwn, parentId }: Comment, count: 1 | -1): PostChange {
  if (!isOwn || parentId === null) return change;
  const parent = rowIn(change, parentId);
  // The row of a removed comment may have been deleted, and its count with it.
  const ownReplies = Math.max(0, parent.ownReplies + count);
  return ownReplies === parent.ownReplies ? change : withRow(change, { ...parent, ownReplies });
}

/** Adds a new comment to the change of a post. */
export function withComment(change: PostChange, comment: Comment): PostChange {
  const { commentId } = comment;
  const { ownReplies } = rowIn(change, commentId);
  const { post, rows } = withReplies(withRow(change, { commentId, ownReplies, comment }), comment, 1);
  return { post: { ...post, lastCommentAt: Math.max(post.lastCommentAt ?? 0, comment.createdAt) }, rows };
}

/** Replaces a row's comment, which may have turned out to be the page's own. */
export function withChangedComment(change: PostChange, row: CommentRow, comment: Comment): PostChange {
  const next = withRow(change, { ...row, comment });
  return row.comment?.isOwn === comment.isOwn ? next : withReplies(next, comment, 1);
}

/** Removes a comment and its text; the caller determines the time of the last remaining comment. */
export function withoutComment(change: PostChange, commentId: string, removedAt: number): PostChange {
  const row = rowIn(change, commentId);
  const createdAt = row.comment?.createdAt ?? row.createdAt;
  const place = createdAt === undefined ? {} : { createdAt };
  const removed = withRow(change, { commentId, ownReplies: row.ownReplies, ...place, removedAt });
  return row.comment ? withReplies(removed, row.comment, -1) : removed;
}
