/** A page with a conversation and a post, at a social network that loses and delays requests. */
import { createAccount } from '../../../shared/domain/accounts/create-account.ts';
import { inboxIdOf } from '../../../shared/domain/inbox-keys.ts';
import { applyComments } from '../../../shared/domain/piloto/comments/apply-comments.ts';
import { replyToComment } from '../../../shared/domain/piloto/comments/reply-to-comment.ts';
import { applyMessages } from '../../../shared/domain/piloto/conversations/apply-messages.ts';
import type { OwnedPage } from '../../../shared/domain/piloto/conversations/conversation.ts';
import { sendMessage, type WriteNeeds } from '../../../shared/domain/piloto/conversations/send-message.ts';
import type { Connection } from '../../../shared/domain/piloto/pages/connection.ts';
import { connectionStore } from '../../../shared/domain/piloto/pages/connection-store.ts';
import { stores } from '../../../shared/domain/stores.ts';
import {
  type FaultReason,
  type NetworkComment,
  NetworkFault,
  type NetworkMessage,
  type Page,
  type SocialNetwork,
} from '../../../shared/gateways/social-network.ts';
import type { Table } from '../../../shared/platform/dynamo-table.ts';
import { randomIds } from '../../../shared/platform/ids.ts';
import { recordedMetrics } from '../../support/recorded-metrics.ts';
import { RecordingLogger } from '../../support/recording-logger.ts';
import { steppedClock } from '../../support/stepped-clock.ts';
import { testIds } from '../../support/test-table.ts';
import { copiedConversations, copiedPosts } from './copied-inbox.ts';

/** The data of the network, and the outcome of the next request to write. */
interface World {
  readonly messages: NetworkMessage[];
  readonly comments: NetworkComment[];
  next: 'works' | FaultReason | 'lost';
  /** Whether the network's lists omit what has just been sent. */
  lag: boolean;
  /** Whether the network's lists contain only ids. */
  isVague: boolean;
  /** Runs between a write and its response. */
  meanwhile: () => Promise<void>;
}

function networkOf(world: World, now: () => number): SocialNetwork {
  const write = async (add: (id: string) => void): Promise<{ id: string }> => {
    const { next } = world;
    world.next = 'works';
    const id = `sent-${world.messages.length + world.comments.length}`;
    if (next === 'works' || next === 'lost') add(id);
    await world.meanwhile();
    if (next === 'lost') throw new NetworkFault('unknown-outcome', 'the response was lost');
    if (next !== 'works') throw new NetworkFault(next, 'as planned');
    return { id };
  };
  const listed = <Entry extends { readonly id: string }>(entries: readonly Entry[]): Page<Entry> => {
    const all = world.lag ? [] : entries;
    return world.isVague ? { items: [], unreadable: all.map(({ id }) => id) } : { items: all, unreadable: [] };
  };
  const common = { text: '', createdAt: 0 };
  return {
    sendText: async (_access, _to, text) =>
      write((id) => {
        const message = { id, direction: 'outbound', attachments: [], status: 'sent' } as const;
        world.messages.unshift({ ...common, ...message, text, createdAt: now() });
      }),
    reply: async (_access, { postId, commentId = null }, text) =>
      write((id) => {
        const marks = { isOwn: true, hidden: false, liked: false, likeCount: 0 };
        const author = { id: 'page', username: 'page' };
        world.comments.unshift({ ...marks, id, postId, parentId: commentId, author, text, createdAt: now() });
      }),
    conversationsWith: async () => ({
      items: [{ id: 'thread', participant: { id: 'ana', username: null, name: null, avatarUrl: null }, updatedAt: 0 }],
      unreadable: [],
    }),
    messages: async () => listed(world.messages),
    comments: async () => listed(world.comments),
    replies: async (_access, { commentId }) => listed(world.comments.filter(({ parentId }) => parentId === commentId)),
  } as Partial<SocialNetwork> as SocialNetwork;
}

/** Sends messages and replies, with a table that can fail. */
export async function sendScene(given: Table) {
  const clock = steppedClock();
  const ids = randomIds(clock);
  const world: World = {
    messages: [],
    comments: [],
    next: 'works',
    lag: false,
    isVague: false,
    meanwhile: async () => {},
  };
  const own = stores(given, clock);
  const { accountId } = await createAccount(
    { ...own, clock, ids },
    { email: 'ana@example.com', name: 'Ana', credits: 0, planId: 'business' },
  );
  const page: OwnedPage = { accountId, channel: 'instagram', pageId: testIds.next() };
  const now = clock.now();
  await connectionStore(given).save({
    ...page,
    network: 'sandbox',
    name: 'Loja',
    username: 'loja',
    state: 'connected',
    connectedAt: now,
    version: 0,
    dueAt: now,
  });
  const [logger, metrics] = [new RecordingLogger(), recordedMetrics()];
  const box = { open: async () => 'token' };
  let losesCommit = false;
  const table: Table = {
    ...given,
    async transact(actions) {
      if (!losesCommit) return given.transact(actions);
      losesCommit = false;
      throw new Error('the database is down');
    },
  };
  const needs: WriteNeeds = {
    ...own,
    table,
    clock,
    ids,
    logger,
    metrics,
    pause: async () => {},
    secretBox: { seal: async (secret) => secret, open: () => box.open() },
    socialNetwork: networkOf(world, () => clock.now()),
  };
  const by = { id: 'ana' };
  await applyMessages(needs, page, by, [
    { id: 'm', direction: 'inbound', text: 'Oi', attachments: [], status: 'sent', createdAt: now },
  ]);
  const comment: NetworkComment = {
    id: 'c',
    postId: 'post',
    parentId: null,
    author: { id: 'ana', username: 'ana' },
    isOwn: false,
    text: 'Oi',
    hidden: false,
    liked: false,
    likeCount: 0,
    createdAt: now,
  };
  await applyComments(needs, page, 'post', [comment]);
  const [conversationId, postId, commentId] = ['ana', 'post', 'c'].map((id) => inboxIdOf(page, id)) as [
    string,
    string,
    string,
  ];
  const keyed = (key: string | undefined) => ({
    idempotency: key === undefined ? undefined : { key, fingerprint: 'the same' },
  });
  const kindOf = (error: unknown) => ({ failed: (error as { kind?: string }).kind ?? (error as Error).name });
  return {
    box,
    loseNextCommit: () => {
      losesCommit = true;
    },
    clock,
    connection: () => connectionStore(given).find(page),
    saveConnection: (connection: Connection) => connectionStore(given).save(connection),
    needs,
    logger,
    metrics,
    page,
    world,
    send: (key: string | undefined, text = 'Sim!') =>
      sendMessage(needs, { accountId, conversationId, text, ...keyed(key) }).catch(kindOf),
    reply: (key: string | undefined) =>
      replyToComment(needs, { accountId, postId, commentId, text: 'Sim!', ...keyed(key) }).catch(kindOf),
    counts: async () => {
      const [conversations, posts] = [await copiedConversations(given, accountId), await copiedPosts(given, accountId)];
      return {
        problems: [...conversations.problems, ...posts.problems],
        messages: conversations.found[0]?.messages.length,
        unread: conversations.found[0]?.conversation.unreadCount,
        comments: posts.found[0]?.comments.length,
        unanswered: posts.found[0]?.post.unansweredCount,
      };
    },
  };
}

export type SendScene = Awaited<ReturnType<typeof sendScene>>;
