/** Synchronizing a page: progress, faults of the network, interruptions, and what becomes of a page that is disconnected. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { connectPage, disconnectPage } from '../../../shared/domain/piloto/connect-page.ts';
import { scheduleWork } from '../../../shared/domain/piloto/schedule-work.ts';
import { workOnConnection } from '../../../shared/domain/piloto/work-on-connection.ts';
import type { SocialNetwork } from '../../../shared/gateways/social-network.ts';
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

/** So many people who have written so many messages each, and posts with a comment by each. */
function populate(people: number, messages: number, posts = 0): void {
  const { page, clock } = scene;
  for (let person = 0; person < people; person += 1) {
    const id = `person-${person}`;
    const written = Array.from({ length: messages }, (_, index) => ({
      id: `m-${person}-${index}`,
      direction: 'inbound' as const,
      text: `message ${index}`,
      attachments: [],
      status: 'delivered' as const,
      createdAt: clock.now() - minute * (index + 1) - person,
    }));
    page.conversations.set(id, { participant: { id, username: id, name: null, avatarUrl: null }, messages: written });
  }
  for (let index = 0; index < posts; index += 1) {
    const id = `post-${index}`;
    const createdAt = clock.now() - minute * index;
    const post = { id, caption: null, thumbnailUrl: null, permalink: `https://example.com/${id}`, createdAt };
    const comment = {
      id: `comment-${index}`,
      postId: id,
      parentId: null,
      author: { id: 'person-0', username: 'somebody' },
      isOwn: false,
      text: 'Quanto custa?',
      hidden: false,
      liked: false,
      likeCount: 0,
      createdAt,
    };
    page.posts.set(id, { post, comments: [comment] });
  }
}

const expectTruth = async () => expect(await copyOf(host.table, scene.accountId)).toEqual(truthOf(scene.page));

test('the first synchronization subscribes to events and copies everything', async () => {
  populate(5, 4, 4);
  await scene.work();
  await expectTruth();
  expect(scene.page.isSubscribed).toBe(true);
  const now = scene.clock.now();
  expect(await scene.connection()).toMatchObject({ syncedAt: now, fullySyncedAt: now, dueAt: now + 5 * minute });
});

test('what the network no longer has is removed by the next comparison of everything', async () => {
  populate(3, 2, 3);
  await scene.work();
  const { conversations, posts } = scene.page;
  conversations.delete('person-0');
  conversations.get('person-1')?.messages.splice(1);
  posts.delete('post-0');
  posts.get('post-1')?.comments.splice(0);
  scene.clock.advance(day);
  await scene.work();
  const left = await copyOf(host.table, scene.accountId);
  expect(left.messages).toHaveLength(3);
  expect(left).toEqual(truthOf(scene.page));
});

test('a later synchronization asks only for what may have changed', async () => {
  populate(5, 4);
  await scene.work();
  scene.clock.advance(60 * minute);
  await scene.work();
  scene.network.requests.length = 0;
  scene.clock.advance(6 * minute);
  await scene.work();
  expect(scene.network.requests).toEqual(['conversations', 'posts']);
});

test('stops when its time is over, shows how far it is, and goes on from there in another process', async () => {
  populate(4, 7, 2);
  scene.network.interrupt = () => scene.clock.advance(20_000);
  await workOnConnection(scene.needs, scene.id);
  const { run, dueAt } = (await scene.connection()) ?? {};
  expect(run).toMatchObject({ mode: 'full', phase: 'conversations', found: 3 });
  expect(dueAt).toBe(scene.clock.now());
  await scene.work();
  await expectTruth();
  // Each call takes most of the time of a part, and still no messages were read twice.
  expect(scene.network.requests.filter((request) => request === 'messages').length).toBe(4 * 3);
});

test('waits for as long as a network that throttles says, and then goes on', async () => {
  populate(4, 4);
  let calls = 0;
  scene.network.interrupt = () => {
    calls += 1;
    if (calls === 4) throw fault('throttled', 600);
  };
  await scene.work();
  expect(await scene.connection()).toMatchObject({ fault: 'throttled', dueAt: scene.clock.now() + 600_000 });
  expect(scene.metrics.recorded).toContainEqual([{ InboxSyncFailures: 1 }]);
  scene.clock.advance(600_000);
  await scene.work();
  expect(await scene.connection()).not.toHaveProperty('fault');
  await expectTruth();
});

test('a revoked token ends synchronizations and is reported once, until it is accepted again', async () => {
  populate(2, 2);
  scene.network.interrupt = () => {
    throw fault('revoked');
  };
  await scene.work();
  expect(await scene.connection()).toMatchObject({
    state: 'revoked',
    fault: 'revoked',
    dueAt: scene.clock.now() + day,
  });
  scene.clock.advance(day);
  await scene.work();
  expect(scene.metrics.recorded.filter(([line]) => 'ConnectionsRevoked' in line)).toHaveLength(1);
  scene.network.interrupt = undefined;
  scene.clock.advance(day);
  await scene.work();
  expect(await scene.connection()).toMatchObject({ state: 'connected' });
  await expectTruth();
  const logged = JSON.stringify([scene.logger.warnings, scene.logger.errors]);
  expect(logged).toContain('connection revoked');
  expect(logged).not.toContain(tokenOf(scene.page.pageId));
});

test('a new token for a revoked page connects it again at once', async () => {
  scene.network.interrupt = () => {
    throw fault('revoked');
  };
  await scene.work();
  scene.network.interrupt = undefined;
  populate(1, 1);
  await connectPage(scene.needs, { ...scene.id, network: 'sandbox', accessToken: tokenOf(scene.page.pageId) });
  await scene.work();
  await expectTruth();
});

test('two processes never work on the same connection, and a dead one is replaced after a minute', async () => {
  populate(2, 2);
  const hanging = { ...scene.network, conversations: () => new Promise<never>(() => undefined) };
  void workOnConnection({ ...scene.needs, socialNetwork: hanging }, scene.id);
  await expect.poll(() => scene.network.requests.includes('subscribe')).toBe(true);
  scene.network.requests.length = 0;
  await workOnConnection(scene.needs, scene.id);
  expect(scene.network.requests).toEqual([]);
  expect((await scene.connection())?.dueAt).toBe(scene.clock.now() + minute);
  scene.clock.advance(minute);
  await scene.work();
  await expectTruth();
});

test('a synchronization whose page is disconnected meanwhile stops, and what it had copied is erased', async () => {
  populate(4, 3, 2);
  let calls = 0;
  const { requests } = scene.network;
  const socialNetwork: SocialNetwork = {
    ...scene.network,
    async messages(...given) {
      calls += 1;
      if (calls === 2) await disconnectPage(scene.needs, scene.id);
      return scene.network.messages(...given);
    },
  };
  await scene.work({ ...scene.needs, socialNetwork });
  expect(requests.filter((request) => request === 'conversations')).toHaveLength(1);
  expect(await scene.connection()).toMatchObject({ state: 'erasing' });
  // What was under way may have stored something until now.
  scene.clock.advance(2 * minute);
  await scene.work();
  expect(await scene.connection()).toBeUndefined();
  expect(await copyOf(host.table, scene.accountId)).toEqual({ messages: [], comments: [], problems: [] });
});

test('the schedule asks for the work that is due, and reports how late it is', async () => {
  const sent: object[] = [];
  const inboxQueue = { send: async (message: object) => void sent.push(message) };
  scene.clock.advance(3 * minute);
  await scheduleWork({ ...scene.needs, inboxQueue });
  expect(sent).toContainEqual({ kind: 'work', ...scene.id });
  const [recorded] = scene.metrics.recorded.at(-1) ?? [];
  expect(recorded?.OldestOverdueInboxAge).toBeGreaterThanOrEqual(180);
});

test('a page whose synchronizations never complete becomes overdue, however often they are tried', async () => {
  scene.network.interrupt = () => {
    throw fault('unavailable');
  };
  const { connections } = scene.needs;
  const due: typeof connections.due = async function* () {
    yield scene.id;
  };
  const overdueSeconds = async () => {
    await scene.work();
    await scheduleWork({ ...scene.needs, connections: { ...connections, due } });
    return scene.metrics.recorded.at(-1)?.[0].OldestOverdueInboxAge;
  };
  scene.clock.advance(5 * 60 * minute);
  expect(await overdueSeconds()).toBe(0);
  scene.clock.advance(2 * 60 * minute);
  expect(await overdueSeconds()).toBe(3600);
});
