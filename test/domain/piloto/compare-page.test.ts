/** What a synchronization removes from the copy, and what it must leave there. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { attendSocialEvent } from '../../../shared/domain/piloto/attend-social-event.ts';
import { connectPage } from '../../../shared/domain/piloto/connect-page.ts';
import { workOnConnection } from '../../../shared/domain/piloto/work-on-connection.ts';
import type { NetworkComment, NetworkMessage, SocialNetwork } from '../../../shared/gateways/social-network.ts';
import { fault, tokenOf } from '../../support/model-network.ts';
import { type TestTable, testTable } from '../../support/test-table.ts';
import { copyOf, type InboxScene, inboxScene, testBox, truthOf } from './inbox-scene.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

let host: TestTable;
let scene: InboxScene;
const { secretBox, remove } = testBox();
beforeAll(async () => {
  host = await testTable();
});
afterAll(async () => {
  await host.close();
  remove();
});
beforeEach(async () => {
  scene = await inboxScene(host.table, secretBox);
});

const messageAt = (id: string, createdAt: number): NetworkMessage => ({
  id,
  direction: 'inbound',
  text: `text of ${id}`,
  attachments: [],
  status: 'delivered',
  createdAt,
});

/** A conversation with messages of these ages. */
function converse(person: string, agesMs: readonly number[]): void {
  const now = scene.clock.now();
  const messages = agesMs.map((age, index) => messageAt(`${person}-${index}`, now - age));
  const participant = { id: person, username: person, name: null, avatarUrl: null };
  scene.page.conversations.set(person, { participant, messages });
}

/** A post with comments. */
function publish(id: string, comments: number): void {
  const createdAt = scene.clock.now() - minute;
  const post = { id, caption: null, thumbnailUrl: null, permalink: `https://example.com/${id}`, createdAt };
  const commentOf = (index: number): NetworkComment => ({
    id: `${id}-${index}`,
    postId: id,
    parentId: null,
    author: { id: 'somebody', username: 'somebody' },
    isOwn: false,
    text: 'Quanto custa?',
    hidden: false,
    liked: false,
    likeCount: 0,
    createdAt: createdAt + index,
  });
  scene.page.posts.set(id, { post, comments: Array.from({ length: comments }, (_, index) => commentOf(index)) });
}

const copied = () => copyOf(host.table, scene.accountId);
const expectTruth = async () => expect(await copied()).toEqual(truthOf(scene.page));
/** The scene's work with a network that behaves differently. */
const workWith = (network: Partial<SocialNetwork>) =>
  scene.work({ ...scene.needs, socialNetwork: { ...scene.network, ...network } });

test('keeps a message that events brought in the second in which a part of the list ends', async () => {
  const second = Math.floor(scene.clock.now() / 1000) * 1000;
  converse('Ana', []);
  const { messages = [] } = scene.page.conversations.get('Ana') ?? {};
  const { pageId } = scene.page;
  for (const message of [messageAt('first', second + 200), messageAt('second', second + 700)]) {
    messages.push(message);
    const event = { kind: 'message', channel: 'instagram', pageId, participantId: 'Ana', message } as const;
    await attendSocialEvent(scene.needs, event);
  }
  await scene.work();
  scene.clock.advance(60 * minute);
  await scene.work();
  for (const id of ['third', 'fourth']) messages.push(messageAt(id, scene.clock.now()));
  scene.clock.advance(6 * minute);
  await scene.work();
  await expectTruth();
  expect((await copied()).messages).toHaveLength(4);
});

test('what a comparison removed comes back when the network has it again', async () => {
  converse('Ana', [3 * minute, 2 * minute]);
  await scene.work();
  const talk = scene.page.conversations.get('Ana');
  scene.page.conversations.clear();
  scene.clock.advance(day);
  await scene.work();
  expect((await copied()).messages).toEqual([]);
  if (talk) scene.page.conversations.set('Ana', talk);
  scene.clock.advance(day);
  await scene.work();
  expect((await copied()).messages).toHaveLength(2);
});

test('keeps a conversation and a post that the network does not list and still has', async () => {
  converse('Ana', [2 * minute]);
  publish('post', 2);
  await scene.work();
  scene.page.conversations.get('Ana')?.messages.push(messageAt('unreported', scene.clock.now()));
  scene.clock.advance(day);
  await workWith({
    conversations: async () => ({ items: [], unreadable: [] }),
    posts: async () => ({ items: [], unreadable: [] }),
  });
  const kept = await copied();
  expect(kept).toEqual(truthOf(scene.page));
  expect(kept.messages).toHaveLength(2);
  expect(kept.comments).toHaveLength(2);
});

test('keeps messages and comments that the network has and no longer tells the details of', async () => {
  converse('Ana', [3 * minute, 2 * minute]);
  publish('post', 2);
  await scene.work();
  scene.clock.advance(day);
  await workWith({
    messages: async () => ({ items: [], unreadable: ['Ana-0', 'Ana-1'] }),
    comments: async () => ({ items: [], unreadable: ['post-0', 'post-1'] }),
  });
  await expectTruth();
  expect((await copied()).messages).toHaveLength(2);
});

test.each(['not-found', 'rejected', 'unsupported'] as const)(
  'copies everything else when the network responds to one conversation and one post that it is %s',
  async (reason) => {
    for (const person of ['Ana', 'Bia', 'Caio', 'Davi']) converse(person, [minute]);
    for (const post of ['one', 'two', 'three', 'four']) publish(post, 1);
    const refused = (id: string) => {
      if (id === 'thread-Bia' || id === 'three') throw fault(reason);
    };
    await workWith({
      messages: async (access, id, cursor) => {
        refused(id);
        return scene.network.messages(access, id, cursor);
      },
      comments: async (access, id, cursor) => {
        refused(id);
        return scene.network.comments(access, id, cursor);
      },
    });
    const { messages, comments } = await copied();
    expect(messages).toHaveLength(3);
    expect(comments).toHaveLength(3);
    expect(await scene.connection()).toMatchObject({ syncedAt: scene.clock.now() });
    expect(scene.metrics.recorded).toContainEqual([{ InboxSyncFailures: 1 }]);
    expect(JSON.stringify(scene.logger.warnings)).toContain('part of an inbox not copied');
  },
);

test('a cursor that has expired ends its list alone, removes nothing, and the list is read again soon', async () => {
  for (const person of ['Ana', 'Bia', 'Caio', 'Davi']) converse(person, [minute]);
  publish('post', 1);
  await scene.work();
  publish('second post', 1);
  scene.clock.advance(day);
  await workWith({
    conversations: async (access, cursor) => {
      if (cursor !== undefined) throw fault('rejected');
      return scene.network.conversations(access);
    },
  });
  await expectTruth();
  const { fault: known, fullySyncedAt = 0, dueAt = 0 } = (await scene.connection()) ?? {};
  expect(known).toBe('incomplete');
  expect(fullySyncedAt).toBeLessThan(scene.clock.now());
  scene.clock.advance(dueAt - scene.clock.now());
  await scene.work();
  expect(await scene.connection()).toMatchObject({ fullySyncedAt: dueAt });
  expect(await scene.connection()).not.toHaveProperty('fault');
});

test('the late failure of an outdated token leaves a connection with a new token as it is', async () => {
  converse('Ana', [minute]);
  const socialNetwork: SocialNetwork = {
    ...scene.network,
    async messages() {
      await connectPage(scene.needs, { ...scene.id, network: 'sandbox', accessToken: tokenOf(scene.page.pageId) });
      throw fault('revoked');
    },
  };
  await workOnConnection({ ...scene.needs, socialNetwork }, scene.id);
  expect(await scene.connection()).toMatchObject({ state: 'connected', dueAt: scene.clock.now() });
  expect(scene.metrics.recorded).toEqual([]);
  await scene.work();
  await expectTruth();
});

test('finds what is gone from a conversation and a post that take several calls to read', async () => {
  converse(
    'Ana',
    Array.from({ length: 8 }, (_, index) => (index + 1) * minute),
  );
  publish('post', 8);
  await scene.work();
  scene.page.conversations.get('Ana')?.messages.splice(4, 1);
  scene.page.posts.get('post')?.comments.splice(4, 1);
  scene.clock.advance(day);
  scene.network.interrupt = () => scene.clock.advance(30_000);
  await scene.work();
  await expectTruth();
});

test('removes what is gone in as many calls as it takes', async () => {
  for (const person of ['Ana', 'Bia', 'Caio']) converse(person, [minute]);
  for (const post of ['one', 'two', 'three']) publish(post, 1);
  await scene.work();
  scene.page.conversations.clear();
  scene.page.posts.clear();
  scene.clock.advance(day);
  scene.network.interrupt = () => scene.clock.advance(30_000);
  await workOnConnection(scene.needs, scene.id);
  await workOnConnection(scene.needs, scene.id);
  expect((await scene.connection())?.run?.prunedTo).toBeTruthy();
  expect((await copied()).messages).toHaveLength(2);
  await scene.work();
  await expectTruth();
});
