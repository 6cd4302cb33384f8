/** Synchronizing a page: progress, faults of the social network, interruptions, and disconnected pages. */
import { describe, expect, test } from 'vitest';
import { connectPage, disconnectPage } from '../../../../shared/domain/piloto/pages/connect-page.ts';
import { workOnConnection } from '../../../../shared/domain/piloto/pages/work-on-connection.ts';
import { scheduleWork } from '../../../../shared/domain/piloto/synchronization/schedule-work.ts';
import type { SocialNetwork } from '../../../../shared/gateways/social-network.ts';
import { fault, tokenOf } from '../../../support/model-network.ts';
import { truthOf } from '../inbox-scene.ts';
import { day, minute, useInboxScene } from '../use-inbox-scene.ts';

const inbox = useInboxScene();
const { converse, copied, expectTruth, publish } = inbox;

/** The given number of participants who have each written the given number of messages, and posts with a comment. */
function populate(people: number, messages: number, posts = 0): void {
  for (let person = 0; person < people; person += 1) {
    const ages = Array.from({ length: messages }, (_, index) => minute * (index + 1) + person);
    converse(`person-${person}`, ages);
  }
  for (let index = 0; index < posts; index += 1) publish(`post-${index}`, 1);
}

test('the first synchronization subscribes to events and copies everything', async () => {
  populate(5, 4, 4);
  await inbox.scene.work();
  await expectTruth();
  expect(inbox.scene.page.isSubscribed).toBe(true);
  const now = inbox.scene.clock.now();
  expect(await inbox.scene.connection()).toMatchObject({ syncedAt: now, fullySyncedAt: now, dueAt: now + 5 * minute });
});

test('items that the social network no longer has are removed by the next full synchronization', async () => {
  populate(3, 2, 3);
  await inbox.scene.work();
  const { conversations, posts } = inbox.scene.page;
  conversations.delete('person-0');
  conversations.get('person-1')?.messages.splice(1);
  posts.delete('post-0');
  posts.get('post-1')?.comments.splice(0);
  inbox.scene.clock.advance(day);
  await inbox.scene.work();
  const left = await copied();
  expect(left.messages).toHaveLength(3);
  expect(left).toEqual(truthOf(inbox.scene.page));
});

test('a synchronization stops when its time is over, shows its progress, and continues from there in another process', async () => {
  populate(4, 7, 2);
  inbox.scene.network.interrupt = () => inbox.scene.clock.advance(20_000);
  await workOnConnection(inbox.scene.needs, inbox.scene.id);
  const { run, dueAt } = (await inbox.scene.connection()) ?? {};
  expect(run).toMatchObject({ mode: 'full', phase: 'conversations', found: 3 });
  expect(dueAt).toBe(inbox.scene.clock.now());
  await inbox.scene.work();
  await expectTruth();
  // Each call takes so long that the synchronization needs several runs, but no run reads messages of an earlier one
  // again.
  expect(inbox.scene.network.requests.filter((request) => request === 'messages').length).toBe(4 * 3);
});

test('a synchronization waits as long as a throttling social network asks, and then continues', async () => {
  populate(4, 4);
  let calls = 0;
  inbox.scene.network.interrupt = () => {
    calls += 1;
    if (calls === 4) throw fault('throttled', 600);
  };
  await inbox.scene.work();
  expect(await inbox.scene.connection()).toMatchObject({
    fault: 'throttled',
    dueAt: inbox.scene.clock.now() + 600_000,
  });
  expect(inbox.scene.metrics.recorded).toContainEqual([{ InboxSyncFailures: 1 }]);
  inbox.scene.clock.advance(600_000);
  await inbox.scene.work();
  expect(await inbox.scene.connection()).not.toHaveProperty('fault');
  await expectTruth();
});

test('a revoked token ends synchronizations and is reported once, until it is accepted again', async () => {
  populate(2, 2);
  inbox.scene.network.interrupt = () => {
    throw fault('revoked');
  };
  await inbox.scene.work();
  expect(await inbox.scene.connection()).toMatchObject({
    state: 'revoked',
    fault: 'revoked',
    dueAt: inbox.scene.clock.now() + day,
  });
  inbox.scene.clock.advance(day);
  await inbox.scene.work();
  expect(inbox.scene.metrics.recorded.filter(([line]) => 'ConnectionsRevoked' in line)).toHaveLength(1);
  inbox.scene.network.interrupt = undefined;
  inbox.scene.clock.advance(day);
  await inbox.scene.work();
  expect(await inbox.scene.connection()).toMatchObject({ state: 'connected' });
  await expectTruth();
  const logged = JSON.stringify([inbox.scene.logger.warnings, inbox.scene.logger.errors]);
  expect(logged).toContain('connection revoked');
  expect(logged).not.toContain(tokenOf(inbox.scene.page.pageId));
});

test('a new token for a revoked page reconnects it at once', async () => {
  inbox.scene.network.interrupt = () => {
    throw fault('revoked');
  };
  await inbox.scene.work();
  inbox.scene.network.interrupt = undefined;
  populate(1, 1);
  await connectPage(inbox.scene.needs, {
    ...inbox.scene.id,
    network: 'sandbox',
    accessToken: tokenOf(inbox.scene.page.pageId),
  });
  await inbox.scene.work();
  await expectTruth();
});

test('two processes never synchronize the same connection, and a crashed one is replaced after a minute', async () => {
  populate(2, 2);
  const hanging = { ...inbox.scene.network, conversations: () => new Promise<never>(() => undefined) };
  void workOnConnection({ ...inbox.scene.needs, socialNetwork: hanging }, inbox.scene.id);
  await expect.poll(() => inbox.scene.network.requests.includes('subscribe')).toBe(true);
  inbox.scene.network.requests.length = 0;
  await workOnConnection(inbox.scene.needs, inbox.scene.id);
  expect(inbox.scene.network.requests).toEqual([]);
  expect((await inbox.scene.connection())?.dueAt).toBe(inbox.scene.clock.now() + minute);
  inbox.scene.clock.advance(minute);
  await inbox.scene.work();
  await expectTruth();
});

test('a synchronization stops when its page is disconnected, and its copy is erased', async () => {
  populate(4, 3, 2);
  let calls = 0;
  const { requests } = inbox.scene.network;
  const socialNetwork: SocialNetwork = {
    ...inbox.scene.network,
    async messages(...given) {
      calls += 1;
      if (calls === 2) await disconnectPage(inbox.scene.needs, inbox.scene.id);
      return inbox.scene.network.messages(...given);
    },
  };
  await inbox.scene.work({ ...inbox.scene.needs, socialNetwork });
  expect(requests.filter((request) => request === 'conversations')).toHaveLength(1);
  expect(await inbox.scene.connection()).toMatchObject({ state: 'erasing' });
  // The synchronization in progress may have stored something until now.
  inbox.scene.clock.advance(2 * minute);
  await inbox.scene.work();
  expect(await inbox.scene.connection()).toBeUndefined();
  expect(await copied()).toEqual({ messages: [], comments: [], problems: [] });
});

test('the schedule requests the synchronizations that are due and reports how late they are', async () => {
  const sent: object[] = [];
  const inboxQueue = { send: async (message: object) => void sent.push(message) };
  inbox.scene.clock.advance(3 * minute);
  await scheduleWork({ ...inbox.scene.needs, inboxQueue });
  expect(sent).toContainEqual({ kind: 'work', ...inbox.scene.id });
  const [recorded] = inbox.scene.metrics.recorded.at(-1) ?? [];
  expect(recorded?.OldestOverdueInboxAge).toBeGreaterThanOrEqual(180);
});

describe('how long a page’s synchronization is overdue', () => {
  const unavailable = () => {
    throw fault('unavailable');
  };
  const overdueSeconds = async () => {
    const { connections } = inbox.scene.needs;
    const due: typeof connections.due = async function* () {
      yield inbox.scene.id;
    };
    await inbox.scene.work();
    await scheduleWork({ ...inbox.scene.needs, connections: { ...connections, due } });
    return inbox.scene.metrics.recorded.at(-1)?.[0].OldestOverdueInboxAge;
  };

  test('grows while no synchronization completes, however often one is retried', async () => {
    inbox.scene.network.interrupt = unavailable;
    inbox.scene.clock.advance(5 * 60 * minute);
    expect(await overdueSeconds()).toBe(0);
    inbox.scene.clock.advance(2 * 60 * minute);
    expect(await overdueSeconds()).toBe(3600);
  });

  test('counts from when the page was connected again', async () => {
    inbox.scene.clock.advance(90 * 24 * 60 * minute);
    const { id, needs, network, page } = inbox.scene;
    await connectPage(needs, { ...id, network: 'sandbox', accessToken: tokenOf(page.pageId) });
    network.interrupt = unavailable;
    expect(await overdueSeconds()).toBe(0);
    inbox.scene.clock.advance(7 * 60 * minute);
    expect(await overdueSeconds()).toBe(3600);
  });

  test('counts from when the page’s revoked token was accepted again', async () => {
    await inbox.scene.work();
    inbox.scene.network.interrupt = () => {
      throw fault('revoked');
    };
    inbox.scene.clock.advance(10 * minute);
    await inbox.scene.work();
    inbox.scene.clock.advance(3 * 24 * 60 * minute);
    inbox.scene.network.interrupt = () => {
      if (inbox.scene.network.requests.at(-1) !== 'page') unavailable();
    };
    expect(await overdueSeconds()).toBe(0);
    expect(await inbox.scene.connection()).toMatchObject({ state: 'connected' });
  });
});
