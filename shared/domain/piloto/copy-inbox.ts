/** Copies conversations and posts of a page, part by part of the network's lists. */
import type { NetworkComment, NetworkMessage, PageAccess, SocialNetwork } from '../../gateways/social-network.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Table } from '../../platform/dynamo-table.ts';
import { conversationKey, inboxIdOf, postKey } from '../inbox-keys.ts';
import { applyComments, applyPost, removeComment } from './apply-comments.ts';
import { applyConversation, applyMessages, removeMessage } from './apply-messages.ts';
import type { Connection, SyncRun } from './connection.ts';
import { conversationStore } from './conversation-store.ts';
import { type Copied, copyListed, type SyncPart } from './copy-listed.ts';
import { copyThread, type Thread } from './copy-thread.ts';
import { postStore } from './post-store.ts';
import { pruneConversations, prunePosts } from './prune-threads.ts';

export interface CopyInboxNeeds {
  readonly clock: Clock;
  readonly socialNetwork: SocialNetwork;
  readonly table: Table;
}

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

interface Parent {
  /** The network's id, and the one here. */
  readonly networkId: string;
  readonly id: string;
}

function messagesOf(
  needs: CopyInboxNeeds,
  { access, connection }: SyncPart,
  { networkId, id, participantId }: Parent & { readonly participantId: string },
): Thread<NetworkMessage> {
  const { accountId } = connection;
  return {
    pk: conversationKey(accountId, id).pk,
    list: (cursor) => needs.socialNetwork.messages(access, networkId, cursor),
    apply: (messages) => applyMessages(needs, connection, { id: participantId }, messages),
    idOf: (message) => inboxIdOf(connection, message.id),
    async remove(ids, storedBefore) {
      for (const one of await conversationStore(needs.table).messages(accountId, id, ids)) {
        const removed = { participantId, messageId: one.networkId };
        await removeMessage(needs, connection, removed, { storedBefore });
      }
    },
    isInOrder: true,
  };
}

function commentsOf(
  needs: CopyInboxNeeds,
  { access, connection }: { readonly access: PageAccess; readonly connection: Connection },
  { networkId, id }: Parent,
): Thread<NetworkComment> {
  const { accountId } = connection;
  return {
    pk: postKey(accountId, id).pk,
    list: (cursor) => needs.socialNetwork.comments(access, networkId, cursor),
    apply: (comments, asOf) => applyComments(needs, connection, networkId, comments, { asOf }),
    idOf: (comment) => inboxIdOf(connection, comment.id),
    async remove(ids, storedBefore) {
      for (const one of await postStore(needs.table).comments(accountId, id, ids)) {
        const removed = { postId: networkId, commentId: one.networkId };
        await removeComment(needs, connection, removed, { storedBefore });
      }
    },
    isInOrder: false,
  };
}

function copyConversations(needs: CopyInboxNeeds, part: SyncPart): Promise<Copied> {
  const { access, connection, run, endsAt } = part;
  const since = sinceOf(connection, run);
  return copyListed(needs.clock, part, {
    list: (cursor) => needs.socialNetwork.conversations(access, cursor),
    isWanted: ({ updatedAt }, position) => updatedAt >= since && position < mostCopied.conversations,
    idOf: ({ participant }) => inboxIdOf(connection, participant.id),
    async copy(conversation, cursor) {
      const { id: networkId, participant } = conversation;
      await applyConversation(needs, connection, conversation);
      const parent = { networkId, id: inboxIdOf(connection, participant.id), participantId: participant.id };
      return copyThread(needs, messagesOf(needs, part, parent), { cursor, since, endsAt });
    },
  });
}

function copyPosts(needs: CopyInboxNeeds, part: SyncPart): Promise<Copied> {
  const { access, connection, run, endsAt } = part;
  const most = run.mode === 'full' ? mostCopied.posts : recentPosts;
  const since = run.mode === 'full' ? 0 : sinceOf(connection, run);
  return copyListed(needs.clock, part, {
    list: (cursor) => needs.socialNetwork.posts(access, cursor),
    isWanted: (_post, position) => position < most,
    idOf: ({ id }) => inboxIdOf(connection, id),
    async copy(post, cursor) {
      await applyPost(needs, connection, post);
      const parent = { networkId: post.id, id: inboxIdOf(connection, post.id) };
      return copyThread(needs, commentsOf(needs, part, parent), { cursor, since, endsAt });
    },
  });
}

/** Copies one part of what a run has left; resolves with what is left then, or undefined if that is nothing. */
export async function copyInbox(needs: CopyInboxNeeds, part: SyncPart): Promise<SyncRun | undefined> {
  const isFirst = part.run.phase === 'conversations';
  const { run, isEnd } = await (isFirst ? copyConversations : copyPosts)(needs, part);
  if (!isEnd) return run;
  const isBounded = run.listed.length >= mostCopied[run.phase];
  if (run.mode === 'full' && !isBounded) {
    const { connection } = part;
    await (isFirst
      ? pruneConversations(needs, connection, run, sinceOf(connection, run))
      : prunePosts(needs, connection, run));
  }
  return isFirst ? { ...run, phase: 'posts', listed: [], cursor: undefined, entry: undefined } : undefined;
}
