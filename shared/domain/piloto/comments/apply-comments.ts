/** Applies reported posts, comments and changes to the stored copy; repeated reports have no further effect. */
import type { CommentChange, NetworkComment, NetworkPost } from '../../../gateways/social-network.ts';
import { outsideText } from '../../../platform/outside-text.ts';
import { inboxIdOf } from '../../inbox-keys.ts';
import { isShortUrl } from '../clip-texts.ts';
import type { CopyNeeds, Reading } from '../conversations/apply-messages.ts';
import type { OwnedPage } from '../conversations/conversation.ts';
import { writeUnlessChanged } from '../write-unless-changed.ts';
import {
  type Comment,
  newPost,
  type Post,
  type PostChange,
  withChangedComment,
  withComment,
  withCount,
  withoutComment,
} from './post.ts';
import { type PostStore, postStore, type ReadPost, savePostChange } from './post-store.ts';

/**
 * The most comments per transaction: each may change its own row, the row of its position and the row of its parent.
 */
const atOnce = 30;

const commentOf = (page: OwnedPage, reported: NetworkComment, storedAt: number): Comment => {
  const { id, postId: _ofPost, parentId, ...comment } = reported;
  return {
    ...comment,
    text: outsideText(comment.text),
    commentId: inboxIdOf(page, id),
    networkId: id,
    parentId: parentId === null ? null : inboxIdOf(page, parentId),
    storedAt,
  };
};

/** Updates a comment, but keeps what a request or an event has changed since the report. */
function updated(known: Comment, { isOwn, text, hidden, liked, likeCount }: Comment, asOf: number): Comment {
  const { hiddenAt = -1, likedAt = -1, editedAt = -1 } = known;
  const current = {
    ...(hiddenAt < asOf && { hidden }),
    ...(likedAt < asOf && { liked }),
    ...(editedAt < asOf && { text }),
  };
  return { ...known, isOwn: known.isOwn || isOwn, likeCount, ...current };
}

const isSame = (one: Comment, other: Comment): boolean =>
  one.isOwn === other.isOwn &&
  one.text === other.text &&
  one.hidden === other.hidden &&
  one.liked === other.liked &&
  one.likeCount === other.likeCount;

/** Applies a reported comment. A removed comment returns only if the report is newer than its removal. */
function withReported(change: PostChange, reported: Comment, asOf: number | undefined): PostChange {
  const row = change.rows.get(reported.commentId);
  if (!row?.comment) return (row?.removedAt ?? -1) >= (asOf ?? 0) ? change : withComment(change, reported);
  if (asOf === undefined) return change;
  const comment = updated(row.comment, reported, asOf);
  return isSame(comment, row.comment) ? change : withChangedComment(change, row, comment);
}

/** The comment after a change that an event reports; unchanged if the change is known or outdated. */
function changedAt(known: Comment, { hidden, text }: Comment, { what, at }: CommentChange): Comment {
  const { hiddenAt = -1, editedAt = -1 } = known;
  const [isSameValue, since] = what === 'text' ? [known.text === text, editedAt] : [known.hidden === hidden, hiddenAt];
  if (since > at || (since === at && isSameValue)) return known;
  return what === 'text' ? { ...known, text, editedAt: at } : { ...known, hidden, hiddenAt: at };
}

/** Applies a change that an event reports. It may arrive before the comment itself, and without its text. */
function withEvent(change: PostChange, reported: Comment, event: CommentChange): PostChange {
  const row = change.rows.get(reported.commentId);
  if (row?.comment) {
    const comment = changedAt(row.comment, reported, event);
    return comment === row.comment ? change : withChangedComment(change, row, comment);
  }
  const isUnknown = row?.removedAt === undefined && reported.text !== '';
  return isUnknown ? withComment(change, { ...reported, hiddenAt: event.at, editedAt: event.at }) : change;
}

async function changePost(
  { table }: Pick<CopyNeeds, 'table'>,
  page: OwnedPage,
  postNetworkId: string,
  read: (store: PostStore, postId: string) => Promise<ReadPost>,
  change: (before: PostChange, store: PostStore) => PostChange | Promise<PostChange>,
): Promise<PostChange> {
  const store = postStore(table);
  const postId = inboxIdOf(page, postNetworkId);
  return writeUnlessChanged(table, async () => {
    const { post = newPost(page, postId, postNetworkId), rows } = await read(store, postId);
    const before = { post, rows };
    const after = await change(before, store);
    return { actions: after === before ? [] : savePostChange(before, after), result: after };
  });
}

/** Applies comments on one post, from an event or a synchronization. */
export async function applyComments(
  needs: CopyNeeds,
  page: OwnedPage,
  postNetworkId: string,
  comments: readonly NetworkComment[],
  { asOf }: Reading = {},
): Promise<void> {
  for (let from = 0; from < comments.length; from += atOnce) {
    const reported = comments.slice(from, from + atOnce).map((comment) => commentOf(page, comment, needs.clock.now()));
    const ids = reported.flatMap(({ commentId, parentId }) => [commentId, ...(parentId === null ? [] : [parentId])]);
    const read = (store: PostStore, postId: string) => store.readWithParents(page.accountId, postId, [...new Set(ids)]);
    await changePost(needs, page, postNetworkId, read, (before) =>
      reported.reduce((change, comment) => withReported(change, comment, asOf), before),
    );
  }
}

/** Applies a change of an existing comment that an event reports. */
export async function applyCommentChange(
  needs: CopyNeeds,
  page: OwnedPage,
  comment: NetworkComment,
  event: CommentChange,
): Promise<void> {
  const reported = commentOf(page, comment, needs.clock.now());
  const ids = [reported.commentId, ...(reported.parentId === null ? [] : [reported.parentId])];
  const read = (store: PostStore, postId: string) => store.read(page.accountId, postId, ids);
  await changePost(needs, page, comment.postId, read, (before) => withEvent(before, reported, event));
}

/** Changes the post's own properties. */
async function changeOwn(
  needs: Pick<CopyNeeds, 'table'>,
  page: OwnedPage,
  networkId: string,
  change: (before: Post) => Post,
): Promise<Post> {
  const read = (store: PostStore, postId: string) => store.read(page.accountId, postId, []);
  const { post } = await changePost(needs, page, networkId, read, (before) => {
    const after = change(before.post);
    return after === before.post ? before : { ...before, post: after };
  });
  return post;
}

/** Applies a post as a synchronization reads it. */
export async function applyPost(
  needs: Pick<CopyNeeds, 'table'>,
  page: OwnedPage,
  { id, caption, thumbnailUrl, permalink }: NetworkPost,
): Promise<Post> {
  const details = {
    caption: caption === null ? null : outsideText(caption),
    thumbnailUrl: thumbnailUrl !== null && isShortUrl(thumbnailUrl) ? thumbnailUrl : null,
    permalink,
  };
  return changeOwn(needs, page, id, (before) => {
    const { details: known } = before;
    const isKnown =
      known?.caption === details.caption &&
      known.thumbnailUrl === details.thumbnailUrl &&
      known.permalink === permalink;
    return isKnown ? before : { ...before, details };
  });
}

/** Records how many comments the social network had counted before the comments on the post were copied. */
export async function applyCommentCount(
  needs: Pick<CopyNeeds, 'table'>,
  page: OwnedPage,
  { id, commentCount }: Pick<NetworkPost, 'id' | 'commentCount'>,
  isWhole: boolean,
): Promise<void> {
  if (commentCount !== undefined) await changeOwn(needs, page, id, (post) => withCount(post, commentCount, isWhole));
}

/** Recomputes the time of the last comment if the removed one may have been the last. */
async function withLastComment(store: PostStore, change: PostChange, removed: Comment): Promise<PostChange> {
  const { accountId, postId, lastCommentAt } = change.post;
  if (lastCommentAt !== removed.createdAt) return change;
  const ids = await store.commentIds(accountId, postId, { limit: 2, offset: 0 });
  const others = ids.filter((id) => id !== removed.commentId).slice(0, 1);
  const [newest] = await store.comments(accountId, postId, others);
  return { ...change, post: { ...change.post, lastCommentAt: newest?.createdAt ?? null } };
}

interface Removal {
  /** The social network's ids of the post and the comment. */
  readonly postId: string;
  readonly commentId: string;
}

/**
 * Removes a comment, even one that has not been reported yet. With `storedBefore`, only if it was stored before that
 * time: a comment that a synchronization does not find may be newer than what it read.
 */
export async function removeComment(
  needs: CopyNeeds,
  page: OwnedPage,
  { postId, commentId: networkId }: Removal,
  { storedBefore = Number.POSITIVE_INFINITY }: { readonly storedBefore?: number } = {},
): Promise<void> {
  const commentId = inboxIdOf(page, networkId);
  const read = (store: PostStore, id: string) => store.readWithParents(page.accountId, id, [commentId]);
  await changePost(needs, page, postId, read, async (before, store) => {
    const row = before.rows.get(commentId);
    if (row?.removedAt !== undefined || (row?.comment && row.comment.storedAt >= storedBefore)) return before;
    const after = withoutComment(before, commentId, needs.clock.now());
    return row?.comment ? withLastComment(store, after, row.comment) : after;
  });
}
