/** What a synchronization removes from the copy, and what it must keep there. */
import { expect, test } from 'vitest';
import { inboxIdOf } from '../../../shared/domain/inbox-keys.ts';
import { conversationStore } from '../../../shared/domain/piloto/conversations/conversation-store.ts';
import { handleSocialEvent } from '../../../shared/domain/piloto/handle-social-event.ts';
import { connectPage } from '../../../shared/domain/piloto/pages/connect-page.ts';
import { workOnConnection } from '../../../shared/domain/piloto/pages/work-on-connection.ts';
import type { SocialNetwork } from '../../../shared/gateways/social-network.ts';
import { fault, tokenOf } from '../../support/model-network.ts';
import { truthOf } from './inbox-scene.ts';
import { day, messageAt, minute, useInboxScene } from './use-inbox-scene.ts';

const inbox = useInboxScene();
const { converse, copied, expectTruth, publish } = inbox;

/** Works on the scene's connection with a social network that behaves differently. */
const workWith = (network: Partial<SocialNetwork>) =>
  inbox.scene.work({ ...inbox.scene.needs, socialNetwork: { ...inbox.scene.network, ...network } });

test('an inbox synchronization keeps a message from an event even if a page of listed messages ends within the same second', async () => {
  const second = Math.floor(inbox.scene.clock.now() / 1000) * 1000;
  converse('Ana', []);
  const { messages = [] } = inbox.scene.page.conversations.get('Ana') ?? {};
  const { pageId } = inbox.scene.page;
  for (const message of [messageAt('first', second + 200), messageAt('second', second + 700)]) {
    messages.push(message);
    const event = { kind: 'message', channel: 'instagram', pageId, participantId: 'Ana', message } as const;
    await handleSocialEvent(inbox.scene.needs, event);
  }
  await inbox.scene.work();
  inbox.scene.clock.advance(60 * minute);
  await inbox.scene.work();
  for (const id of ['third', 'fourth']) messages.push(messageAt(id, inbox.scene.clock.now()));
  inbox.scene.clock.advance(6 * minute);
  await inbox.scene.work();
  await expectTruth();
  expect((await copied()).messages).toHaveLength(4);
});

test('a conversation that an inbox synchronization has removed is copied again once the social network lists it again', async () => {
  converse('Ana', [3 * minute, 2 * minute]);
  await inbox.scene.work();
  const talk = inbox.scene.page.conversations.get('Ana');
  inbox.scene.page.conversations.clear();
  inbox.scene.clock.advance(day);
  await inbox.scene.work();
  expect((await copied()).messages).toEqual([]);
  if (talk) inbox.scene.page.conversations.set('Ana', talk);
  inbox.scene.clock.advance(day);
  await inbox.scene.work();
  expect((await copied()).messages).toHaveLength(2);
});

test('an inbox synchronization keeps a conversation and a post that the social network does not list but still has', async () => {
  converse('Ana', [2 * minute]);
  publish('post', 2);
  await inbox.scene.work();
  inbox.scene.page.conversations.get('Ana')?.messages.push(messageAt('unreported', inbox.scene.clock.now()));
  inbox.scene.clock.advance(day);
  await workWith({
    conversations: async () => ({ items: [], unreadable: [] }),
    posts: async () => ({ items: [], unreadable: [] }),
  });
  const kept = await copied();
  expect(kept).toEqual(truthOf(inbox.scene.page));
  expect(kept.messages).toHaveLength(2);
  expect(kept.comments).toHaveLength(2);
});

test('an inbox synchronization keeps messages and comments that the social network returns without details', async () => {
  converse('Ana', [3 * minute, 2 * minute]);
  publish('post', 2);
  await inbox.scene.work();
  inbox.scene.clock.advance(day);
  await workWith({
    messages: async () => ({ items: [], unreadable: ['Ana-0', 'Ana-1'] }),
    comments: async () => ({ items: [], unreadable: ['post-0', 'post-1'] }),
  });
  await expectTruth();
  expect((await copied()).messages).toHaveLength(2);
});

test.each(['not-found', 'rejected', 'unsupported'] as const)(
  'an inbox synchronization copies everything else if one conversation and one post fail with %s',
  async (reason) => {
    for (const person of ['Ana', 'Bia', 'Caio', 'Davi']) converse(person, [minute]);
    for (const post of ['one', 'two', 'three', 'four']) publish(post, 1);
    const refused = (id: string) => {
      if (id === 'thread-Bia' || id === 'three') throw fault(reason);
    };
    await workWith({
      messages: async (access, id, cursor) => {
        refused(id);
        return inbox.scene.network.messages(access, id, cursor);
      },
      comments: async (access, id, cursor) => {
        refused(id);
        return inbox.scene.network.comments(access, id, cursor);
      },
    });
    const { messages, comments } = await copied();
    expect(messages).toHaveLength(3);
    expect(comments).toHaveLength(3);
    expect(await inbox.scene.connection()).toMatchObject({ syncedAt: inbox.scene.clock.now() });
    expect(inbox.scene.metrics.recorded).toContainEqual([{ InboxSyncFailures: 1 }]);
    expect(JSON.stringify(inbox.scene.logger.warnings)).toContain('part of an inbox not copied');
  },
);

test('an expired cursor stops only the reading of its own list, removes nothing, and the list is soon read again', async () => {
  for (const person of ['Ana', 'Bia', 'Caio', 'Davi']) converse(person, [minute]);
  publish('post', 1);
  await inbox.scene.work();
  publish('second post', 1);
  inbox.scene.clock.advance(day);
  await workWith({
    conversations: async (access, cursor) => {
      if (cursor !== undefined) throw fault('rejected');
      return inbox.scene.network.conversations(access);
    },
  });
  await expectTruth();
  const { fault: known, fullySyncedAt = 0, dueAt = 0 } = (await inbox.scene.connection()) ?? {};
  expect(known).toBe('incomplete');
  expect(fullySyncedAt).toBeLessThan(inbox.scene.clock.now());
  inbox.scene.clock.advance(dueAt - inbox.scene.clock.now());
  await inbox.scene.work();
  expect(await inbox.scene.connection()).toMatchObject({ fullySyncedAt: dueAt });
  expect(await inbox.scene.connection()).not.toHaveProperty('fault');
});

test('a late error about an old token does not change a connection that has a new token', async () => {
  converse('Ana', [minute]);
  const socialNetwork: SocialNetwork = {
    ...inbox.scene.network,
    async messages() {
      await connectPage(inbox.scene.needs, {
        ...inbox.scene.id,
        network: 'sandbox',
        accessToken: tokenOf(inbox.scene.page.pageId),
      });
      throw fault('revoked');
    },
  };
  await workOnConnection({ ...inbox.scene.needs, socialNetwork }, inbox.scene.id);
  expect(await inbox.scene.connection()).toMatchObject({ state: 'connected', dueAt: inbox.scene.clock.now() });
  expect(inbox.scene.metrics.recorded).toEqual([]);
  await inbox.scene.work();
  await expectTruth();
});

test('an inbox synchronization finds removals in a conversation and a post that take several calls to read', async () => {
  converse(
    'Ana',
    Array.from({ length: 8 }, (_, index) => (index + 1) * minute),
  );
  publish('post', 8);
  await inbox.scene.work();
  inbox.scene.page.conversations.get('Ana')?.messages.splice(4, 1);
  inbox.scene.page.posts.get('post')?.comments.splice(4, 1);
  inbox.scene.clock.advance(day);
  inbox.scene.network.interrupt = () => inbox.scene.clock.advance(30_000);
  await inbox.scene.work();
  await expectTruth();
});

test('an inbox synchronization removes deleted items in as many calls as it needs', async () => {
  for (const person of ['Ana', 'Bia', 'Caio']) converse(person, [minute]);
  for (const post of ['one', 'two', 'three']) publish(post, 1);
  await inbox.scene.work();
  inbox.scene.page.conversations.clear();
  inbox.scene.page.posts.clear();
  inbox.scene.clock.advance(day);
  inbox.scene.network.interrupt = () => inbox.scene.clock.advance(30_000);
  await workOnConnection(inbox.scene.needs, inbox.scene.id);
  await workOnConnection(inbox.scene.needs, inbox.scene.id);
  expect((await inbox.scene.connection())?.run?.prunedTo).toBeTruthy();
  expect((await copied()).messages).toHaveLength(2);
  await inbox.scene.work();
  await expectTruth();
});

test('an inbox synchronization deletes read receipts for unknown messages, except those of the last few minutes', async () => {
  await inbox.scene.work();
  const { pageId } = inbox.scene.page;
  const receive = (participantId: string) => {
    const report = { kind: 'message-status', status: 'read', until: inbox.scene.clock.now() } as const;
    return handleSocialEvent(inbox.scene.needs, { ...report, channel: 'instagram', pageId, participantId });
  };
  const store = conversationStore(inbox.table);
  const known = async (person: string) => {
    const found = await store.find(inbox.scene.accountId, inboxIdOf({ channel: 'instagram', pageId }, person));
    return found !== undefined;
  };
  await receive('Ana');
  expect(await known('Ana')).toBe(true);
  inbox.scene.clock.advance(100 * day);
  await receive('Bia');
  await inbox.scene.work();
  expect([await known('Ana'), await known('Bia')]).toEqual([false, true]);
});
