/** Posts and comments of the inbox as they are stored, and the rules by which comments count as unanswered. */
import { isDeepStrictEqual } from 'node:util';
import type { NetworkComment, NetworkPost } from '../../gateways/social-network.ts';
import type { OwnedPage } from './conversation.ts';

export interface Comment extends Omit<NetworkComment, 'id' | 'postId' | 'parentId'> {
  readonly commentId: string;
  /** The network's id. */
  readonly networkId: string;
  /** The id here of the comment that it replies to. */
  readonly parentId: string | null;
  /** When it came into this copy. */
  readonly storedAt: number;
  /** When a request last changed `hidden`, or the network reported that. */
  readonly hiddenAt?: number | undefined;
  /** When a request last changed `liked`. */
  readonly likedAt?: number | undefined;
  /** When the network reported that its text was changed. */
  readonly editedAt?: number | undefined;
  /** The request that wrote it. */
  readonly sentBy?: string | undefined;
}

/** A comment, and what is known of it even before it is reported itself, or after it was removed. */
export interface CommentRow {
  readonly commentId: string;
  /** The replies of the page. */
  readonly ownReplies: number;
  readonly removedAt?: number | undefined;
  readonly comment?: Comment | undefined;
}

/** What a network counted before it listed the comments on a post. */
export interface CommentCount {
  readonly comments: number;
  /** How many more it counted than were copied when they were last read to the end: networks keep some to themselves. */
  readonly unlisted: number;
  /** The copy had as many as expected, or they were read twice: lists may lag behind counts. */
  readonly isSettled: boolean;
}

export interface Post extends OwnedPage {
  readonly postId: string;
  /** The network's id. */
  readonly networkId: string;
  /** Absent until a synchronization has seen the post. */
  readonly details?: Pick<NetworkPost, 'caption' | 'thumbnailUrl' | 'permalink'> | undefined;
  readonly commentCount: number;
  readonly unansweredCount: number;
  readonly lastCommentAt: number | null;
  /** How many comments the network counted when they were last copied. */
  readonly counted?: CommentCount | undefined;
  /** Counts changes of the post and of its comments, so that none is lost. */
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

/** Whether comments to copy or to remove are to be expected after those that were read. */
export function isMoreListed({ counted, commentCount }: Post, comments: number): boolean {
  const missing = comments - commentCount;
  if (!counted) return missing !== 0;
  return missing > counted.unlisted || (missing < counted.unlisted && comments < counted.comments);
}

/** With the number of comments that the network counted before they were listed, to the end or in part. */
export function withCount(post: Post, comments: number, isWhole: boolean): Post {
  const { counted, commentCount } = post;
  const missing = comments - commentCount;
  const known = counted?.unlisted ?? 0;
  // Fewer are missing than are kept back: they were late. More are there than counted: they were written meanwhile.
  const late = known > 0 ? Math.min(known, Math.max(0, missing)) : known;
  const next: CommentCount = {
    comments,
    unlisted: isWhole ? missing : late,
    isSettled: missing === 0 || missing === known || counted?.comments === comments,
  };
  return isDeepStrictEqual(counted, next) ? post : { ...post, counted: next };
}

/** Whether the network counts as many comments as when they were copied. */
export const isCopied = ({ counted }: Post, { commentCount }: Pick<NetworkPost, 'commentCount'>): boolean =>
  counted?.isSettled === true && counted.comments === commentCount;

const newCommentRow = (commentId: string): CommentRow => ({ commentId, ownReplies: 0 });

/** What waits for an answer: comments of others on the post itself that are shown. */
const isUnanswered = ({ comment, ownReplies }: CommentRow): boolean =>
  comment !== undefined && !comment.isOwn && comment.parentId === null && !comment.hidden && ownReplies === 0;

/** Rows of one post's comments that change together, and the post. */
export interface PostChange {
  readonly post: Post;
  /** By id, as they have become. */
  readonly rows: ReadonlyMap<string, CommentRow>;
}

/** The change with a row as it has become. */
export function withRow({ post, rows }: PostChange, row: CommentRow): PostChange {
  const before = rows.get(row.commentId) ?? newCommentRow(row.commentId);
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
  const parent = change.rows.get(parentId) ?? (count > 0 ? newCommentRow(parentId) : undefined);
  if (!parent) throw new Error('the row of what a reply belongs to has not been read');
  return withRow(change, { ...parent, ownReplies: parent.ownReplies + count });
}

/** With a comment that was not there. */
export function withComment(change: PostChange, comment: Comment): PostChange {
  const { commentId } = comment;
  const { ownReplies } = change.rows.get(commentId) ?? newCommentRow(commentId);
  const { post, rows } = withReplies(withRow(change, { commentId, ownReplies, comment }), comment, 1);
  return { post: { ...post, lastCommentAt: Math.max(post.lastCommentAt ?? 0, comment.createdAt) }, rows };
}

/** With a comment of a row as it has become; it may have turned out to be the page's own. */
export function withChangedComment(change: PostChange, row: CommentRow, comment: Comment): PostChange {
  const next = withRow(change, { ...row, comment });
  return row.comment?.isOwn === comment.isOwn ? next : withReplies(next, comment, 1);
}

/** Without a comment; what it says is forgotten, and the caller finds out when the last of the others was written. */
export function withoutComment(change: PostChange, commentId: string, removedAt: number): PostChange {
  const row = change.rows.get(commentId) ?? newCommentRow(commentId);
  const removed = withRow(change, { commentId, ownReplies: row.ownReplies, removedAt });
  return row.comment ? withReplies(removed, row.comment, -1) : removed;
}
