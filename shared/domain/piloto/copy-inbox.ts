/** Copies conversations and posts of a page, part by part of the network's lists. */
import { inboxIdOf } from '../inbox-keys.ts';
import { applyPost } from './apply-comments.ts';
import { applyConversation } from './apply-messages.ts';
import type { Connection, SyncRun } from './connection.ts';
import { type Copied, type CopyInboxNeeds, copyListed, type SyncPart } from './copy-listed.ts';
import { copyThread } from './copy-thread.ts';
import { pruneConversations, prunePosts } from './prune-threads.ts';
import { commentsOf, messagesOf } from './threads-of.ts';

/** What is older is not copied. */
const copiedDays = 90;

/** How many of each are copied, the newest. */
const mostCopied = { conversations: 500, posts: 200 } as const;

/** How many posts are looked at more often than once a day; comments on older ones are reported by events. */
const recentPosts = 25;

/** The clocks of the networks may be behind, and lists may lag. */
const overlapMs = 15 * 60_000;

const sinceOf = ({ syncedAt = 0 }: Connection, { mode, startedAt }: SyncRun): number =>
  mode === 'full' ? startedAt - copiedDays * 24 * 3_600_000 : syncedAt - overlapMs;

function copyConversations(needs: CopyInboxNeeds, part: SyncPart): Promise<Copied> {
  const { access, connection, run, endsAt } = part;
  const since = sinceOf(connection, run);
  return copyListed(needs, part, {
    list: (cursor) => needs.socialNetwork.conversations(access, cursor),
    isWanted: ({ updatedAt }, position) => updatedAt >= since && position < mostCopied.conversations,
    idOf: ({ participant }) => inboxIdOf(connection, participant.id),
    timeOf: ({ updatedAt }) => updatedAt,
    async copy(conversation, place) {
      const { id: networkId, participant } = conversation;
      await applyConversation(needs, connection, conversation);
      const thread = messagesOf(needs, part, { networkId, participantId: participant.id });
      return copyThread(needs, thread, { place, since, endsAt });
    },
  });
}

function copyPosts(needs: CopyInboxNeeds, part: SyncPart): Promise<Copied> {
  const { access, connection, run, endsAt } = part;
  const most = run.mode === 'full' ? mostCopied.posts : recentPosts;
  const since = run.mode === 'full' ? 0 : sinceOf(connection, run);
  return copyListed(needs, part, {
    list: (cursor) => needs.socialNetwork.posts(access, cursor),
    isWanted: (_post, position) => position < most,
    idOf: ({ id }) => inboxIdOf(connection, id),
    timeOf: ({ createdAt }) => createdAt,
    async copy(post, place) {
      await applyPost(needs, connection, post);
      return copyThread(needs, commentsOf(needs, part, { networkId: post.id }), { place, since, endsAt });
    },
  });
}

/** What is left when a phase has ended; undefined if that is nothing. */
function afterPhase({ prunedTo: _done, cursor: _last, entry: _also, ...run }: SyncRun): SyncRun | undefined {
  return run.phase === 'conversations' ? { ...run, phase: 'posts', listed: [], oldest: undefined } : undefined;
}

/** Copies or removes one part of what a run has left; resolves with what is left then, or undefined if that is nothing. */
export async function copyInbox(needs: CopyInboxNeeds, part: SyncPart): Promise<SyncRun | undefined> {
  const isFirst = part.run.phase === 'conversations';
  if (part.run.prunedTo !== undefined) {
    const isBounded = part.run.listed.length >= mostCopied[part.run.phase];
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
