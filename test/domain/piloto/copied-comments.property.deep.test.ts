/**
 * A model of comments: whichever of the social network's events are lost, incomplete, repeated, reordered or concurrent
 * with each other, with requests and with the expiry of rows, all counts match the rows, and a reconciliation leaves
 * exactly what the network has.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { inboxIdOf, postKey } from '../../../shared/domain/inbox-keys.ts';
import { expiryAttribute } from '../../../shared/domain/keys.ts';
import {
  applyCommentChange,
  applyComments,
  applyPost,
  removeComment,
} from '../../../shared/domain/piloto/comments/apply-comments.ts';
import { recordModeration } from '../../../shared/domain/piloto/comments/moderate-comment.ts';
import type { OwnedPage } from '../../../shared/domain/piloto/conversations/conversation.ts';
import { Rejection } from '../../../shared/domain/rejection.ts';
import type { CommentChange, NetworkComment } from '../../../shared/gateways/social-network.ts';
import { TransactionCanceled } from '../../../shared/platform/dynamo-table.ts';
import { modelRuns } from '../../support/model-runs.ts';
import { tableInTests, testTime } from '../../support/test-table.ts';
import { copiedPosts } from './copied-inbox.ts';
import { type History, happen, history, idOf, type Planned, parentOf, scene, sorted, times } from './inbox-history.ts';

const host = await tableInTests();

type Change = Planned['changes'][number]['what'];

const shownOf = ({ text, hidden, liked }: Pick<NetworkComment, 'text' | 'hidden' | 'liked'>) => [text, hidden, liked];

function unlessChanged(error: unknown): void {
  if (!(error instanceof TransactionCanceled)) throw error;
}

function unlessNotFound(error: unknown): void {
  if (!(error instanceof Rejection) || error.kind !== 'not-found') throw error;
}

/** Deletes the rows that DynamoDB may delete once their time has come. */
async function expire(page: OwnedPage): Promise<void> {
  for (const parent of [0, 1]) {
    const { pk } = postKey(page.accountId, inboxIdOf(page, parentOf({ parent })));
    const rows = await Array.fromAsync(
      host.table.walk({ KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk } }),
    );
    for (const { sk, [expiryAttribute]: expiry } of rows)
      if (expiry !== undefined)
        await host.table
          .transact([
            {
              Delete: {
                Key: { pk, sk: String(sk) },
                ConditionExpression: '#expiry = :expiry',
                ExpressionAttributeNames: { '#expiry': expiryAttribute },
                ExpressionAttributeValues: { ':expiry': expiry },
              },
            },
          ])
          .catch(unlessChanged);
  }
}

/** A comment before its changes and after each of them, with the event that reports it. */
function versionsOf(first: NetworkComment, changes: Planned['changes']) {
  const changed = (comment: NetworkComment, what: Change, at: number): NetworkComment =>
    what === 'edit' ? { ...comment, text: `${comment.text}, then ${at}` } : { ...comment, hidden: what === 'hide' };
  const versions = [{ comment: first, change: undefined as CommentChange | undefined, arrivals: 0 }];
  for (const [index, { what, arrivals }] of changes.entries()) {
    const at = testTime + 10_000 + index * 1000;
    const comment = changed(versions.at(-1)?.comment ?? first, what, at);
    versions.push({ comment, change: { what: what === 'edit' ? 'text' : 'hidden', at }, arrivals });
  }
  return versions;
}

/** The history with each reply on the post of what it replies to; what replies to a reply or to nothing is no reply. */
function withReplies(given: History): History {
  const entries: Planned[] = [];
  for (const entry of given.entries) {
    const above = entry.repliesTo === undefined ? undefined : entries[entry.repliesTo];
    const isReply = above !== undefined && above.repliesTo === undefined;
    entries.push(isReply ? { ...entry, parent: above.parent } : { ...entry, repliesTo: undefined });
  }
  return { ...given, entries };
}

async function commentsAgree(planned: History): Promise<void> {
  const given = withReplies(planned);
  const { page, needs } = scene(host.table);
  const comments = given.entries.map(
    (entry, index): NetworkComment => ({
      id: idOf(index),
      postId: parentOf(entry),
      parentId: entry.repliesTo === undefined ? null : idOf(entry.repliesTo),
      author: { id: entry.isOwn ? page.pageId : 'ana', username: 'someone' },
      isOwn: entry.isOwn,
      text: `text ${index}`,
      hidden: entry.at === 5,
      liked: false,
      likeCount: entry.at,
      createdAt: testTime + entry.at,
    }),
  );
  const versions = comments.map((comment, index) => versionsOf(comment, given.entries[index]?.changes ?? []));
  const finals = versions.map((all) => all.at(-1)?.comment).filter((comment) => comment !== undefined);
  const apply = (comment: NetworkComment, reading = {}) =>
    applyComments(needs, page, comment.postId, [comment], reading);
  const remove = (index: number) =>
    removeComment(needs, page, { postId: parentOf(given.entries[index] ?? { parent: 0 }), commentId: idOf(index) });
  const liked = new Set<string>();
  const like = async ({ postId, id }: NetworkComment) => {
    const [commentId, ofPost] = [inboxIdOf(page, id), inboxIdOf(page, postId)];
    const moderation = { accountId: page.accountId, postId: ofPost, commentId, change: { liked: true } };
    await recordModeration(needs, moderation).then(() => liked.add(id), unlessNotFound);
  };
  const see = (parent: number) =>
    applyPost(needs, page, {
      id: parentOf({ parent }),
      caption: null,
      thumbnailUrl: null,
      permalink: 'https://www.instagram.com/p/1/',
      createdAt: testTime,
    });
  const changes = versions
    .flat()
    .flatMap(({ comment, change, arrivals }) =>
      change ? times(arrivals, () => applyCommentChange(needs, page, comment, change)) : [],
    );
  await happen(given, [
    ...comments.flatMap((comment, index) => {
      const { arrivals = 0, isAnonymous = false } = given.entries[index] ?? {};
      return times(arrivals, () => apply({ ...comment, isOwn: comment.isOwn && !isAnonymous }));
    }),
    ...changes,
    ...given.entries.flatMap(({ isRemoved, removals }, index) =>
      isRemoved ? times(removals, () => remove(index)) : [],
    ),
    ...comments.filter((_, index) => given.entries[index]?.isLiked).map((comment) => () => like(comment)),
    () => see(0),
    ...times(3, () => expire(page)),
  ]);
  const reported = await copiedPosts(host.table, page.accountId);
  expect(reported.problems).toEqual([]);
  // Events may arrive in any order: if none is lost, the copy is right without a synchronization.
  const complete = given.entries.flatMap(({ arrivals, isRemoved, changes: all }, index) =>
    arrivals > 0 && !isRemoved && all.every((change) => change.arrivals > 0) ? [idOf(index)] : [],
  );
  const likedFinals = finals.map((comment) => ({ ...comment, liked: liked.has(comment.id) }));
  const isComplete = (id: string) => complete.includes(id);
  expect(
    sorted(
      reported.found.flatMap(({ comments: all }) =>
        all.filter(({ networkId }) => isComplete(networkId)).map((one) => [one.networkId, ...shownOf(one)]),
      ),
    ),
  ).toEqual(sorted(likedFinals.filter(({ id }) => isComplete(id)).map((one) => [one.id, ...shownOf(one)])));

  const asOf = needs.clock.now();
  await Promise.all(
    likedFinals.map((comment, index) => {
      const { isRemoved = false, isFlat = false } = given.entries[index] ?? {};
      return isRemoved ? remove(index) : apply({ ...comment, ...(isFlat && { parentId: null }) }, { asOf });
    }),
  );
  const { found, problems } = await copiedPosts(host.table, page.accountId);
  expect(problems).toEqual([]);
  const copied = found.flatMap(({ comments: stored }) => stored.map((one) => [one.networkId, ...shownOf(one)]));
  const real = likedFinals
    .filter((_, index) => !given.entries[index]?.isRemoved)
    .map((one) => [one.id, ...shownOf(one)]);
  expect(sorted(copied)).toEqual(sorted(real));
}

test('copied comments match those of the social network, and their counts match the stored rows', async () => {
  await fc.assert(fc.asyncProperty(history, commentsAgree), modelRuns(8));
});
