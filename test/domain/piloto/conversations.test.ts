/** Conversations by example: read messages, until when the page may write, and the participant's profile. */
import { expect, test } from 'vitest';
import { inboxIdOf } from '../../../shared/domain/inbox-keys.ts';
import {
  applyConversation,
  applyMessageStatus,
  applyMessages,
} from '../../../shared/domain/piloto/conversations/apply-messages.ts';
import { type OwnedPage, replyUntilOf, statusOf } from '../../../shared/domain/piloto/conversations/conversation.ts';
import { conversationStore } from '../../../shared/domain/piloto/conversations/conversation-store.ts';
import { recordRead } from '../../../shared/domain/piloto/conversations/mark-read.ts';
import type { NetworkMessage } from '../../../shared/gateways/social-network.ts';
import { tableInTests, testIds, testTime } from '../../support/test-table.ts';

const host = await tableInTests();

const message = (id: string, direction: NetworkMessage['direction'], at: number): NetworkMessage => ({
  id,
  direction,
  text: id,
  attachments: [],
  status: 'sent',
  createdAt: testTime + at,
});

function scene() {
  const page: OwnedPage = { accountId: testIds.next(), channel: 'facebook', pageId: 'page' };
  const needs = { clock: { now: () => testTime + 5000 }, table: host.table };
  const store = conversationStore(host.table);
  const conversationId = inboxIdOf(page, 'ana');
  const seen = async () => {
    const conversation = await store.find(page.accountId, conversationId);
    if (!conversation) throw new Error('there is no conversation');
    const ids = await store.messageIds(page.accountId, conversationId, { limit: 100, offset: 0 });
    const messages = await store.messages(page.accountId, conversationId, ids);
    const statuses = messages.map((one) => `${one.text}: ${statusOf(one, conversation)}`);
    return { conversation, statuses, attachments: messages.map((one) => one.attachments) };
  };
  return {
    page,
    needs,
    seen,
    receive: (...messages: NetworkMessage[]) => applyMessages(needs, page, { id: 'ana' }, messages),
    report: (status: 'delivered' | 'read', at: number) =>
      applyMessageStatus(needs, page, { participantId: 'ana', status, until: testTime + at }),
    read: () => recordRead(host.table, { accountId: page.accountId, conversationId, readAt: testTime + 5000 }),
  };
}

test('a page’s message becomes sent, delivered and read at the reported times, in whichever order they arrive', async () => {
  const { receive, report, seen } = scene();
  await report('read', 1);
  await report('delivered', 2);
  await receive(message('one', 'outbound', 1), message('two', 'outbound', 2), message('three', 'outbound', 3));
  await report('delivered', 1);
  expect((await seen()).statuses).toEqual(['three: sent', 'two: delivered', 'one: read']);
  await receive({ ...message('three', 'outbound', 3), status: 'failed' });
  await report('read', 9);
  expect((await seen()).statuses).toEqual(['three: failed', 'two: read', 'one: read']);
});

test('a participant’s messages count as read up to the page’s last answer, or once they are marked as read', async () => {
  const { receive, read, seen } = scene();
  await receive(message('one', 'inbound', 1), message('two', 'outbound', 2), message('three', 'inbound', 3));
  expect(await seen()).toMatchObject({
    conversation: { unreadCount: 1 },
    statuses: ['three: delivered', 'two: sent', 'one: read'],
  });
  await read();
  expect((await seen()).conversation).toMatchObject({ unreadCount: 0, readAt: testTime + 5000 });
  await receive(message('late', 'inbound', 2));
  await receive(message('new', 'inbound', 4));
  expect(await seen()).toMatchObject({
    conversation: { unreadCount: 1, lastMessage: { text: 'new' } },
    statuses: ['new: delivered', 'three: read', expect.any(String), expect.any(String), 'one: read'],
  });
});

test('the page may write for 24 hours after the participant’s last message, and not before their first one', async () => {
  const { receive, seen } = scene();
  await receive(message('one', 'outbound', 1));
  expect(replyUntilOf((await seen()).conversation)).toBeNull();
  await receive(message('two', 'inbound', 2), message('three', 'outbound', 3));
  expect(replyUntilOf((await seen()).conversation)).toBe(testTime + 2 + 24 * 3_600_000);
});

test('a conversation that has only a read receipt is not listed until it has a message', async () => {
  const { page, receive, report } = scene();
  const listed = () =>
    conversationStore(host.table).list(page.accountId, { isUnread: false }, { limit: 100, offset: 0 });
  await report('read', 1);
  expect(await listed()).toEqual([]);
  await receive(message('one', 'outbound', 1));
  expect(await listed()).toMatchObject([{ lastMessage: { text: 'one' }, seenUntil: testTime + 1 }]);
});

test('a synchronization adds the participant’s names, which no event removes', async () => {
  const { needs, page, receive, seen } = scene();
  const participant = { id: 'ana', username: 'ana.s', name: 'Ana', avatarUrl: null };
  await receive(message('one', 'inbound', 1));
  expect((await seen()).conversation.participant.name).toBeNull();
  await applyConversation(needs, page, { id: 'thread', participant, updatedAt: testTime });
  await receive(message('two', 'inbound', 2));
  expect((await seen()).conversation).toMatchObject({ networkId: 'thread', participant, unreadCount: 2 });
});

test('listing messages refreshes the expiring URLs of attachments, and an event that arrives late does not overwrite them', async () => {
  const { page, needs, receive, seen } = scene();
  const withImage = (url: string) => ({ ...message('one', 'inbound', 1), attachments: [{ type: 'image', url }] });
  const list = (listed: NetworkMessage) =>
    applyMessages(needs, page, { id: 'ana' }, [listed], { asOf: testTime + 5000 });
  await receive(withImage('https://cdn.example/1?first'));
  await list(withImage('https://cdn.example/1?second'));
  await receive(withImage('https://cdn.example/1?first'));
  await list(message('one', 'inbound', 1));
  expect((await seen()).attachments).toEqual([[{ type: 'image', url: 'https://cdn.example/1?second' }]]);
});

test('texts are shortened to a length that fits every response, and never within a character', async () => {
  const { receive, needs, page } = scene();
  await receive({ ...message('one', 'inbound', 1), text: `a${'😀'.repeat(6000)}` });
  const store = conversationStore(needs.table);
  const conversation = await store.find(page.accountId, inboxIdOf(page, 'ana'));
  expect(conversation?.lastMessage?.text).toHaveLength(9_999);
  expect(conversation?.lastMessage?.text?.isWellFormed()).toBe(true);
});
