/**
 * Hides and likes comments as a page, first in the social network and then in the copy; each change can be repeated.
 */
import type { OperationContract } from '../../../contracts/operation.ts';
import { Rejection } from '../../rejection.ts';
import type { WriteNeeds } from '../conversations/send-message.ts';
import { withPages, writableConnection } from '../pages/connected-pages.ts';
import { writeToNetwork } from '../write-to-network.ts';
import { writeUnlessChanged } from '../write-unless-changed.ts';
import { type Comment, type PostChange, withRow } from './post.ts';
import { postStore, savePostChange } from './post-store.ts';

type Change = { readonly hidden: boolean } | { readonly liked: boolean };

interface Moderation {
  readonly accountId: string;
  readonly postId: string;
  readonly commentId: string;
  readonly change: Change;
}

type Needs = Omit<WriteNeeds, 'ids' | 'pause'>;

function moderated(comment: Comment, change: Change, now: number): Comment {
  if ('hidden' in change) return { ...comment, ...change, hiddenAt: now };
  const more = Number(change.liked) - Number(comment.liked);
  return { ...comment, ...change, likeCount: Math.max(0, comment.likeCount + more), likedAt: now };
}

/** Adds the moderation of a comment to the change of its post. @throws {Rejection} not-found */
function withModerated(before: PostChange, { commentId, change }: Moderation, now: number): PostChange {
  const row = before.rows.get(commentId);
  if (!row?.comment) throw new Rejection('not-found');
  return withRow(before, { ...row, comment: moderated(row.comment, change, now) });
}

/** Records the moderation in the copy. @throws {Rejection} not-found */
export async function recordModeration({ clock, table }: Pick<Needs, 'clock' | 'table'>, moderation: Moderation) {
  const { accountId, postId, commentId } = moderation;
  await writeUnlessChanged(table, async () => {
    const { post, rows } = await postStore(table).read(accountId, postId, [commentId]);
    if (!post) throw new Rejection('not-found');
    const before = { post, rows };
    const after = withModerated(before, moderation, clock.now());
    return { actions: savePostChange(before, after), result: undefined };
  });
}

/** Moderates a comment. @throws {Rejection} switched-off, forbidden, not-found, invalid, dependency-unavailable */
export async function moderateComment(
  needs: Needs,
  contract: Pick<OperationContract, 'operationId' | 'feature'>,
  moderation: Moderation,
): Promise<void> {
  const { accountId, postId, commentId, change } = moderation;
  const reading = postStore(needs.table).read(accountId, postId, [commentId]);
  const { connections, read } = await withPages(needs, contract, accountId, reading);
  const networkId = read.rows.get(commentId)?.comment?.networkId;
  if (!read.post || networkId === undefined) throw new Rejection('not-found');
  const action = 'hidden' in change ? 'hide comments' : 'like comments';
  await writeToNetwork(needs, writableConnection(connections, read.post), { field: 'commentId', action }, (access) =>
    'hidden' in change
      ? needs.socialNetwork.setHidden(access, networkId, change.hidden)
      : needs.socialNetwork.setLiked(access, networkId, change.liked),
  );
  await recordModeration(needs, moderation);
}
