/** Copies the conversations and posts of a page, one chunk of the social network's lists at a time. */
import type { NetworkPost } from '../../../gateways/social-network.ts';
import { inboxIdOf } from '../../inbox-keys.ts';
import { applyCommentCount, applyPost } from '../comments/apply-comments.ts';
import { isCopied, isMoreListed } from '../comments/post.ts';
import { postStore } from '../comments/post-store.ts';
import { applyConversation } from '../conversations/apply-messages.ts';
import type { Connection, SyncRun, ThreadPlace } from '../pages/connection.ts';
import { type Copied, type CopyInboxNeeds, copyListed, type SyncPart } from './copy-listed.ts';
import { copyThread, type Interest } from './copy-thread.ts';
import { pruneConversations, prunePosts } from './prune-threads.ts';
import { commentsOf, messagesOf } from './threads-of.ts';

/** The maximum age, in days, of copied entries. */
const copiedDays = 90;

/** How many of the newest conversations and posts are copied. */
const maxCopied = { conversations: 500, posts: 200 } as const;

/** How many of the newest posts are checked more than once a day; events report comments on older ones. */
const recentPosts = 25;

/** A margin of time, because social networks' clocks may be behind and their lists may lag. */
const overlapMs = 15 * 60_000;

const sinceOf = ({ syncedAt = 0 }: Connection, { mode, startedAt }: SyncRun): number =>
  mode === 'full' ? startedAt - copiedDays * 24 * 3_600_000 : syncedAt - overlapMs;

function copyConversations(needs: CopyInboxNeeds, part: SyncPart): Promise<Copied> {
  const { access, connection, run, endsAt } = part;
  const since = sinceOf(connection, run);
  return copyListed(needs, part, {
    list: (cursor) => needs.socialNetwork.conversations(access, cursor),
    isWanted: ({ updatedAt }, position) => updatedAt >= since && position < maxCopied.conversations,
    idOf: ({ participant }) => inboxIdOf(connection, participant.id),
    timeOf: ({ updatedAt }) => updatedAt,
    async copy(conversation, place) {
      const { id: networkId, participant } = conversation;
      await applyConversation(needs, connection, conversation);
      const thread = messagesOf(needs, part, { networkId, participantId: participant.id });
      return copyThread(needs, thread, { place, isWanted: (oldest) => oldest >= since, endsAt });
    },
  });
}

/**
 * Decides how far to read comments. A full synchronization reads all of them. A recent one reads until the copy has as
 * many as the social network counts; if it does not count them, until they are older than the last synchronization.
 */
function interestIn(
  { table }: CopyInboxNeeds,
  { connection, run }: SyncPart,
  { id, commentCount }: Pick<NetworkPost, 'id' | 'commentCount'>,
): Interest {
  if (run.mode === 'full') return () => true;
  if (commentCount === undefined) return (oldest) => oldest >= sinceOf(connection, run);
  return async () => {
    const post = await postStore(table).find(connection.accountId, inboxIdOf(connection, id));
    return post === undefined || isMoreListed(post, commentCount);
  };
}

/**
 * Copies the comments on a post, as `copyListed` requires. The count used is the one from before the first chunk was
 * listed.
 */
async function copyComments(
  needs: CopyInboxNeeds,
  part: SyncPart,
  { id, commentCount }: NetworkPost,
  place: ThreadPlace | undefined,
): Promise<ThreadPlace | undefined> {
  const counted = { id, commentCount: place ? place.commentCount : commentCount };
  const isMoreWanted = interestIn(needs, part, counted);
  let isWhole = true;
  const isWanted: Interest = async (oldest) => {
    isWhole = await isMoreWanted(oldest);
    return isWhole;
  };
  const thread = commentsOf(needs, part, { networkId: id });
  const next = await copyThread(needs, thread, { place, isWanted, endsAt: part.endsAt });
  if (next) return { ...next, commentCount: counted.commentCount };
  await applyCommentCount(needs, part.connection, counted, isWhole);
  return undefined;
}

function copyPosts(needs: CopyInboxNeeds, part: SyncPart): Promise<Copied> {
  const { access, connection, run } = part;
  const max = run.mode === 'full' ? maxCopied.posts : recentPosts;
  return copyListed(needs, part, {
    list: (cursor) => needs.socialNetwork.posts(access, cursor),
    isWanted: (_post, position) => position < max,
    idOf: ({ id }) => inboxIdOf(connection, id),
    timeOf: ({ createdAt }) => createdAt,
    async copy(post, place) {
      const known = await applyPost(needs, connection, post);
      const isUnchanged = run.mode === 'recent' && place === undefined && isCopied(known, post);
      return isUnchanged ? undefined : copyComments(needs, part, post, place);
    },
  });
}

/** What is left to do after a phase of the synchronization; undefined if nothing. */
function afterPhase({
  prunedTo: _done,
  cursor: _last,
  chunks: _read,
  entry: _also,
  ...run
}: SyncRun): SyncRun | undefined {
  return run.phase === 'conversations' ? { ...run, phase: 'posts', listed: [], oldest: undefined } : undefined;
}

/** Performs one step of the remaining copying or pruning; returns what is left, or undefined if nothing. */
export async function copyInbox(needs: CopyInboxNeeds, part: SyncPart): Promise<SyncRun | undefined> {
  const isFirst = part.run.phase === 'conversations';
  if (part.run.prunedTo !== undefined) {
    const isBounded = part.run.listed.length >= maxCopied[part.run.phase];
    const unbounded = isFirst ? sinceOf(part.connection, part.run) : 0;
    const since = isBounded ? (part.run.oldest ?? unbounded) : unbounded;
    const prunedTo = await (isFirst ? pruneConversations : prunePosts)(needs, part, since);
    return prunedTo === undefined ? afterPhase(part.run) : { ...part.run, prunedTo };
  }
  const { run, isEnd } = await (isFirst ? copyConversations : copyPosts)(needs, part);
  if (!isEnd) return run;
  const isCompared = run.mode === 'full' && !run.isIncomplete;
  return isCompared ? { ...run, prunedTo: '', cursor: undefined, entry: undefined } : afterPhase(run);
}
