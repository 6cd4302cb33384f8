/** Stores posts and comments, and lists them with a number of reads that is independent of how many there are. */
import * as z from 'zod';
import { channels } from '../../../contracts/channels.ts';
import { once } from '../../../contracts/once.ts';
import type { Action, Item, Table } from '../../../platform/dynamo-table.ts';
import {
  atTime,
  commentIdIn,
  commentKey,
  inboxIdIn,
  placedIdIn,
  placeKey,
  postKey,
  postsOwner,
  unlistedPostsOwner,
} from '../../inbox-keys.ts';
import { indexes } from '../../index-keys.ts';
import { expiryAttribute } from '../../keys.ts';
import { type ListRange, newestFirst } from '../../list-page.ts';
import { readableItems } from '../../readable-rows.ts';
import { parseRow } from '../../stored-row.ts';
import { removalExpiry } from '../pages/removal-expiry.ts';
import { inOrder } from '../synchronization/in-order.ts';
import { placesOf } from '../synchronization/places.ts';
import { type Comment, type CommentRow, newCommentRow, type Post, type PostChange } from './post.ts';

const PostRow = once(() =>
  z.object({
    channel: z.enum(channels),
    pageId: z.string(),
    networkId: z.string(),
    details: z.exactOptional(
      z.object({ caption: z.string().nullable(), thumbnailUrl: z.string().nullable(), permalink: z.string() }),
    ),
    commentCount: z.int().min(0),
    unansweredCount: z.int().min(0),
    lastCommentAt: z.int().nullable(),
    counted: z.exactOptional(z.object({ comments: z.int(), unlisted: z.int(), isSettled: z.boolean() })),
    version: z.int(),
  } satisfies Record<Exclude<keyof Post, 'accountId' | 'postId'>, z.ZodType>),
);

const StoredComment = () =>
  z.object({
    networkId: z.string(),
    parentId: z.string().nullable(),
    author: z.object({ id: z.string(), username: z.string() }),
    isOwn: z.boolean(),
    text: z.string(),
    hidden: z.boolean(),
    liked: z.boolean(),
    likeCount: z.int(),
    createdAt: z.int(),
    storedAt: z.int(),
    hiddenAt: z.exactOptional(z.int()),
    likedAt: z.exactOptional(z.int()),
    editedAt: z.exactOptional(z.int()),
    sentBy: z.exactOptional(z.string()),
  } satisfies Record<Exclude<keyof Comment, 'commentId'>, z.ZodType>);

const Row = once(() =>
  z.object({
    ownReplies: z.int().min(0),
    createdAt: z.exactOptional(z.int()),
    removedAt: z.exactOptional(z.int()),
    comment: z.exactOptional(StoredComment()),
  }),
);

const toPost = (accountId: string, item: Item): Post => ({
  accountId,
  postId: inboxIdIn(item),
  ...parseRow('post', PostRow(), item),
});

function toRow(item: Item): CommentRow {
  const commentId = commentIdIn(item);
  const { comment, ...row } = parseRow('comment', Row(), item);
  return { commentId, ...row, ...(comment && { comment: { commentId, ...comment } }) };
}

/** The list that contains a post: the post is visible once its details are known and it has a comment. */
function placeInLists({ accountId, postId, details, commentCount, lastCommentAt }: Post) {
  const isListed = details !== undefined && commentCount > 0;
  return {
    [indexes.byOwner.pk]: isListed ? postsOwner(accountId) : unlistedPostsOwner(accountId),
    [indexes.byOwner.sk]: atTime(lastCommentAt ?? 0, postId),
  };
}

/** Saves a post, unless its version has changed since it was read; a new post has version 0. */
function savePost(post: Post): Action {
  const { accountId, postId, version, ...rest } = post;
  return {
    Put: {
      Item: { ...postKey(accountId, postId), ...rest, version: version + 1, ...placeInLists(post) },
      ...(version === 0
        ? { ConditionExpression: 'attribute_not_exists(pk)' }
        : { ConditionExpression: 'version = :version', ExpressionAttributeValues: { ':version': version } }),
    },
  };
}

function saveRow({ accountId, postId }: Post, { commentId, comment, ...row }: CommentRow, before?: CommentRow) {
  const { commentId: _inKey, ...stored } = comment ?? { commentId };
  const place = ({ createdAt }: Comment) => placeKey(accountId, postId, createdAt, commentId);
  const Item = {
    ...commentKey(accountId, postId, commentId),
    ...row,
    ...(comment && { comment: stored }),
    // What counts stored replies has to be there as long as they are.
    ...(row.removedAt !== undefined && row.ownReplies === 0 && { [expiryAttribute]: removalExpiry(row.removedAt) }),
  };
  const actions: Action[] = [{ Put: { Item } }];
  if (comment && !before?.comment) actions.push({ Put: { Item: { ...place(comment) } } });
  if (!comment && before?.comment) actions.push({ Delete: { Key: place(before.comment) } });
  return actions;
}

/**
 * The writes for a change of a post and some of its comments, conditional on none of them having changed since they
 * were read.
 */
export const savePostChange = (before: PostChange, { post, rows }: PostChange): Action[] => [
  savePost(post),
  ...[...rows.values()]
    .filter((row) => row !== before.rows.get(row.commentId))
    .flatMap((row) => saveRow(post, row, before.rows.get(row.commentId))),
];

export interface ReadPost {
  readonly post?: Post;
  readonly rows: ReadonlyMap<string, CommentRow>;
}

export interface PostStore {
  find(accountId: string, postId: string): Promise<Post | undefined>;
  /** The place of a post in the list, from which the list can continue; undefined if the post is not listed. */
  place(accountId: string, postId: string): Promise<string | undefined>;
  /** Lists posts with comments, those with the newest comments first; the list begins behind the place `after`. */
  list(accountId: string, range: ListRange): Promise<Post[]>;
  /** Reads a post and the rows of some comments, all as of the same time; a comment that is not stored has a new row. */
  read(accountId: string, postId: string, commentIds: readonly string[]): Promise<ReadPost>;
  /** Reads also the rows of the comments to which these comments are replies. */
  readWithParents(accountId: string, postId: string, commentIds: readonly string[]): Promise<ReadPost>;
  /**
   * The place of a comment among those on its post, from which the list can continue even if the comment was removed a
   * short time ago.
   */
  commentPlace(accountId: string, postId: string, commentId: string): Promise<string | undefined>;
  /**
   * The ids of comments, newest first, including those stored a moment ago; the list begins after the position `after`.
   */
  commentIds(accountId: string, postId: string, range: ListRange): Promise<string[]>;
  comments(accountId: string, postId: string, commentIds: readonly string[]): Promise<Comment[]>;
}

/** Finds places: the sort keys of posts and comments in their lists. */
const places = (table: Table): Pick<PostStore, 'place' | 'commentPlace' | 'commentIds'> => ({
  async place(accountId, postId) {
    const item = await table.get(postKey(accountId, postId));
    return item?.[indexes.byOwner.pk] === postsOwner(accountId) ? String(item[indexes.byOwner.sk]) : undefined;
  },
  async commentPlace(accountId, postId, commentId) {
    const item = await table.get(commentKey(accountId, postId, commentId));
    const { createdAt = item?.createdAt } = Object(item?.comment) as { readonly createdAt?: unknown };
    return createdAt === undefined ? undefined : placeKey(accountId, postId, Number(createdAt), commentId).sk;
  },
  async commentIds(accountId, postId, range) {
    const { pk } = postKey(accountId, postId);
    return (await table.list(placesOf(pk, range.after), range)).map(placedIdIn);
  },
});

export function postStore(table: Table): PostStore {
  const itemsOf = async (accountId: string, postId: string, ids: readonly string[]) =>
    ids.length === 0 ? [] : table.getMany(ids.map((id) => commentKey(accountId, postId, id)));
  const find: PostStore['find'] = async (accountId, postId) => {
    const item = await table.get(postKey(accountId, postId));
    return item && toPost(accountId, item);
  };
  const read: PostStore['read'] = async (accountId, postId, ids) => {
    // Comments are written unconditionally, so the post is read first: every later change of a comment also changes
    // the post's version.
    const post = await find(accountId, postId);
    const stored = (await itemsOf(accountId, postId, ids)).map(toRow);
    const rows = [...ids.map(newCommentRow), ...stored];
    return { ...(post && { post }), rows: new Map(rows.map((row) => [row.commentId, row])) };
  };
  return {
    ...places(table),
    find,
    read,
    async readWithParents(accountId, postId, ids) {
      for (let found = await read(accountId, postId, ids); ; ) {
        const { rows } = found;
        const parents = ids.flatMap((id) => rows.get(id)?.comment?.parentId ?? []);
        if (parents.every((id) => rows.has(id))) return found;
        found = await read(accountId, postId, [...ids, ...parents]);
      }
    },
    async list(accountId, range) {
      const query = newestFirst({ index: 'byOwner', pk: postsOwner(accountId), after: range.after });
      const ids = (await table.list(query, range)).map(inboxIdIn);
      if (ids.length === 0) return [];
      const items = await table.getMany(ids.map((id) => postKey(accountId, id)));
      // Posts are filtered again, because the index may lag behind them.
      const posts = readableItems(table, 'post', items, (item) => toPost(accountId, item));
      const found = posts.filter(({ commentCount }) => commentCount > 0);
      return inOrder(ids, found, ({ postId }) => postId);
    },
    async comments(accountId, postId, ids) {
      const rows = readableItems(table, 'comment', await itemsOf(accountId, postId, ids), toRow);
      const found = rows.flatMap(({ comment }) => comment ?? []);
      return inOrder(ids, found, ({ commentId }) => commentId);
    },
  };
}
