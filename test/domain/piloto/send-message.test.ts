/** Messages and comments are sent once for each key, whatever becomes of the network's response. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount } from '../../../shared/domain/accounts/create-account.ts';
import { Replay } from '../../../shared/domain/idempotency/idempotency.ts';
import { inboxIdOf } from '../../../shared/domain/inbox-keys.ts';
import { applyComments } from '../../../shared/domain/piloto/apply-comments.ts';
import { applyMessageStatus, applyMessages } from '../../../shared/domain/piloto/apply-messages.ts';
import { connectionStore } from '../../../shared/domain/piloto/connection-store.ts';
import type { OwnedPage } from '../../../shared/domain/piloto/conversation.ts';
import { replyToComment } from '../../../shared/domain/piloto/reply-to-comment.ts';
import { sendMessage, type WriteNeeds } from '../../../shared/domain/piloto/send-message.ts';
import { stores } from '../../../shared/domain/stores.ts';
import {
  type FaultReason,
  type NetworkComment,
  NetworkFault,
  type NetworkMessage,
  type SocialNetwork,
} from '../../../shared/gateways/social-network.ts';
import { randomIds } from '../../../shared/platform/ids.ts';
import { steppedClock } from '../../support/stepped-clock.ts';
import { type TestTable, testIds, testTable } from '../../support/test-table.ts';
import { copiedConversations, copiedPosts } from './copied-inbox.ts';

let host: TestTable;

beforeAll(async () => {
  host = await testTable();
});
afterAll(() => host.close());

/** What the network has, and what becomes of the next request to write. */
interface World {
  readonly messages: NetworkMessage[];
  readonly comments: NetworkComment[];
  next: 'works' | FaultReason | 'lost';
  /** What was sent is not listed yet. */
  lag: boolean;
  /** What happens between a write and its response. */
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
    conversations: async () => ({
      items: [{ id: 'thread', participant: { id: 'ana', username: null, name: null, avatarUrl: null }, updatedAt: 0 }],
      unreadable: [],
    }),
    messages: async () => ({ items: world.lag ? [] : world.messages, unreadable: [] }),
    comments: async () => ({ items: world.lag ? [] : world.comments, unreadable: [] }),
  } as Partial<SocialNetwork> as SocialNetwork;
}

async function scene() {
  const clock = steppedClock();
  const ids = randomIds(clock);
  const world: World = { messages: [], comments: [], next: 'works', lag: false, meanwhile: async () => {} };
  const own = stores(host.table, clock);
  const { accountId } = await createAccount(
    { ...own, clock, ids },
    { email: 'ana@example.com', name: 'Ana', credits: 0, planId: 'business' },
  );
  const page: OwnedPage = { accountId, channel: 'instagram', pageId: testIds.next() };
  const now = clock.now();
  await connectionStore(host.table).save({
    ...page,
    network: 'sandbox',
    name: 'Loja',
    username: 'loja',
    state: 'connected',
    connectedAt: now,
    version: 0,
    dueAt: now,
  });
  const box = { open: async () => 'token' };
  const needs: WriteNeeds = {
    ...own,
    clock,
    ids,
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
  const keyed = (key: string) => ({ idempotency: { key, fingerprint: 'the same' } });
  const kindOf = (error: unknown) => ({ failed: (error as { kind?: string }).kind ?? (error as Error).name });
  return {
    box,
    clock,
    needs,
    page,
    world,
    send: (key: string, text = 'Sim!') =>
      sendMessage(needs, { accountId, conversationId, text, ...keyed(key) }).catch(kindOf),
    reply: (key: string) =>
      replyToComment(needs, { accountId, postId, commentId, text: 'Sim!', ...keyed(key) }).catch(kindOf),
    counts: async () => {
      const [conversations, posts] = [
        await copiedConversations(host.table, accountId),
        await copiedPosts(host.table, accountId),
      ];
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

const kinds = ['send', 'reply'] as const;
type Scene = Awaited<ReturnType<typeof scene>>;
const sentOf = ({ world }: Scene) => world.messages.length + world.comments.length;

test.for(kinds)(
  'a %s whose response was lost is found in the network by a repeat, and not sent again',
  async (kind) => {
    const given = await scene();
    given.world.next = 'lost';
    expect(await given[kind]('key')).toEqual({ failed: 'NetworkFault' });
    const repeated = await given[kind]('key');
    expect(repeated).toMatchObject({ text: 'Sim!' });
    expect(await given[kind]('key')).toBeInstanceOf(Replay);
    expect(sentOf(given)).toBe(1);
    expect((await given.counts()).problems).toEqual([]);
  },
);

test.for(kinds)('a %s that never arrived is sent by a repeat, but only once it can no longer arrive', async (kind) => {
  const given = await scene();
  given.world.next = 'unknown-outcome';
  expect(await given[kind]('key')).toEqual({ failed: 'NetworkFault' });
  expect(await given[kind]('key')).toEqual({ failed: 'in-progress' });
  expect(sentOf(given)).toBe(0);
  given.clock.advance(120_000);
  expect(await given[kind]('key')).toMatchObject({ text: 'Sim!' });
  expect(sentOf(given)).toBe(1);
});

test.for(kinds)('a %s that a repeat sent and that is not listed yet is not sent again', async (kind) => {
  const given = await scene();
  given.world.next = 'unknown-outcome';
  await given[kind]('key');
  given.clock.advance(121_000);
  given.world.next = 'lost';
  given.world.lag = true;
  expect(await given[kind]('key')).toEqual({ failed: 'NetworkFault' });
  given.clock.advance(60_000);
  expect(await given[kind]('key')).toEqual({ failed: 'in-progress' });
  given.world.lag = false;
  expect(await given[kind]('key')).toMatchObject({ text: 'Sim!' });
  expect(sentOf(given)).toBe(1);
});

test.for(kinds)('a repeat of a %s that another repeat has taken over does not send', async (kind) => {
  const given = await scene();
  given.world.next = 'unknown-outcome';
  await given[kind]('key');
  given.clock.advance(121_000);
  let rival: unknown;
  given.box.open = async () => {
    given.box.open = async () => 'token';
    given.clock.advance(31_000);
    given.world.next = 'lost';
    given.world.lag = true;
    rival = await given[kind]('key');
    return 'token';
  };
  expect(await given[kind]('key')).toEqual({ failed: 'in-progress' });
  expect(rival).toEqual({ failed: 'NetworkFault' });
  expect(sentOf(given)).toBe(1);
});

test.for(kinds)('a page’s token that cannot be opened ends a %s without a call, and its key is free', async (kind) => {
  const given = await scene();
  given.box.open = () => Promise.reject(new Error('no key service'));
  expect(await given[kind]('key')).toEqual({ failed: 'engine-unavailable' });
  given.box.open = async () => 'token';
  expect(await given[kind]('key')).toMatchObject({ text: 'Sim!' });
  expect(sentOf(given)).toBe(1);
});

test('what the participant writes or receives before the network responds comes after the message', async () => {
  const given = await scene();
  given.world.meanwhile = async () => {
    given.clock.advance(200);
    const createdAt = given.clock.now();
    const answer = { id: 'a', direction: 'inbound', text: 'Ok', attachments: [], status: 'sent', createdAt } as const;
    await applyMessages(given.needs, given.page, { id: 'ana' }, [answer]);
    const delivery = { participantId: 'ana', status: 'delivered', until: createdAt } as const;
    await applyMessageStatus(given.needs, given.page, delivery);
    given.clock.advance(200);
  };
  expect(await given.send('key')).toMatchObject({ status: 'delivered' });
  expect(await given.counts()).toMatchObject({ problems: [], messages: 3, unread: 1 });
});

test.for(kinds)('two requests to %s the same text are two, also if the responses of both were lost', async (kind) => {
  const given = await scene();
  for (const key of ['one', 'two']) {
    given.world.next = 'lost';
    await given[kind](key);
  }
  const [one, two] = [await given[kind]('one'), await given[kind]('two')];
  expect(new Set([one, two].map((data) => (data as { id: string }).id)).size).toBe(2);
  expect(sentOf(given)).toBe(2);
});

test.for(kinds)('what a request to %s wrote is one, if a synchronization brings it first', async (kind) => {
  const given = await scene();
  given.world.next = 'lost';
  await given[kind]('key');
  await applyMessages(given.needs, given.page, { id: 'ana' }, given.world.messages);
  await applyComments(given.needs, given.page, 'post', given.world.comments);
  expect(await given[kind]('key')).toMatchObject({ text: 'Sim!' });
  const expected = kind === 'send' ? { messages: 2, unread: 0 } : { comments: 2, unanswered: 0 };
  expect(await given.counts()).toMatchObject({ problems: [], ...expected });
});

test.for([
  ['throttled', 'engine-unavailable'],
  ['unavailable', 'engine-unavailable'],
  ['revoked', 'forbidden'],
  ['window-closed', 'reply-window-closed'],
  ['rejected', 'invalid'],
  ['not-found', 'not-found'],
] as const)(
  'a message that the network does not take (%s) is %s, and its key is free again',
  async ([reason, kind]) => {
    const given = await scene();
    given.world.next = reason;
    expect(await given.send('key')).toEqual({ failed: kind });
    expect(await given.counts()).toMatchObject({ messages: 1, unread: 1 });
    expect(await given.send('key')).toMatchObject({ text: 'Sim!' });
    expect(await given.counts()).toMatchObject({ problems: [], messages: 2, unread: 0 });
  },
);

test('after 24 hours the window is closed without a call, and Instagram’s limit is in bytes', async () => {
  const given = await scene();
  expect(await given.send('long', 'ã'.repeat(501))).toEqual({ failed: 'invalid' });
  given.clock.advance(24 * 3_600_000 + 60_000);
  expect(await given.send('late')).toEqual({ failed: 'reply-window-closed' });
  expect(sentOf(given)).toBe(0);
});

test('messages that arrive while others are sent leave exact counts', async () => {
  const given = await scene();
  const arriving = Array.from({ length: 6 }, (_, index): NetworkMessage => {
    const createdAt = given.clock.now() + index;
    return { id: `in-${index}`, direction: 'inbound', text: 'E?', attachments: [], status: 'sent', createdAt };
  });
  await Promise.all([
    given.send('one'),
    given.send('two', 'Outra'),
    ...arriving.map((message) => applyMessages(given.needs, given.page, { id: 'ana' }, [message])),
  ]);
  expect(await given.counts()).toMatchObject({ problems: [], messages: 9 });
});
