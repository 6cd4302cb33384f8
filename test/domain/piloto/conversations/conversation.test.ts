/** How a message changes its conversation, message by message. */
import { expect, test } from 'vitest';
import {
  type Conversation,
  isUnread,
  type LastMessage,
  type Message,
  newConversation,
  withMessage,
} from '../../../../shared/domain/piloto/conversations/conversation.ts';

const page = { accountId: 'account', channel: 'instagram', pageId: 'page' } as const;

const conversation = (change: Partial<Conversation> = {}): Conversation => ({
  ...newConversation(page, 'conversation', { id: 'ana' }),
  ...change,
});

const message = (direction: Message['direction'], createdAt: number, messageId = 'm'): Message => ({
  messageId,
  networkId: messageId,
  direction,
  text: 'text',
  attachments: [],
  status: 'sent',
  createdAt,
  storedAt: 0,
});

const never = (): Promise<number> => Promise.reject(new Error('nothing was to be counted'));

test('messages that the participant wrote after the time of the last read are unread', () => {
  expect(isUnread(message('inbound', 11), { readUntil: 10 })).toBe(true);
  expect(isUnread(message('inbound', 10), { readUntil: 10 })).toBe(false);
  expect(isUnread(message('outbound', 11), { readUntil: 10 })).toBe(false);
});

const last = (createdAt: number, messageId: string): LastMessage => ({
  messageId,
  direction: 'inbound',
  text: 'last',
  createdAt,
});

test.for([
  ['an earlier one', last(9, 'z'), 'm'],
  ['a later one', last(11, 'a'), 'a'],
  ['one of the same time with a smaller id', last(10, 'a'), 'm'],
  ['one of the same time with a larger id', last(10, 'z'), 'z'],
] as const)('the later of a new message and %s becomes the last message', async ([, lastMessage, newest]) => {
  const next = await withMessage(conversation({ lastMessage }), message('inbound', 10), never);
  expect(next.lastMessage?.messageId).toBe(newest);
  expect(next.updatedAt).toBe(Math.max(10, lastMessage.createdAt));
});

test('a last message that arrives again is replaced by its new version', async () => {
  const next = await withMessage(conversation({ lastMessage: last(10, 'm') }), message('inbound', 10), never);
  expect(next.lastMessage?.text).toBe('text');
});

test('an old message does not extend the reply window', async () => {
  const next = await withMessage(conversation({ lastInboundAt: 10 }), message('inbound', 5), never);
  expect(next.lastInboundAt).toBe(10);
});

test('a message of the page that is the last of its conversation marks all messages as read without counting them', async () => {
  const known = conversation({ lastMessage: last(9, 'z'), readUntil: 1, unreadCount: 3 });
  expect(await withMessage(known, message('outbound', 10), never)).toMatchObject({ readUntil: 10, unreadCount: 0 });
});

test('a message of the page marks all messages before it as read, and the number of later unread ones is counted', async () => {
  const known = conversation({ lastMessage: last(20, 'z'), readUntil: 1, unreadCount: 3 });
  const next = await withMessage(known, message('outbound', 10), async (time) => time / 5);
  expect(next).toMatchObject({ readUntil: 10, unreadCount: 2 });
});

test.for([9, 10])(
  'a message that the page wrote at time %i marks nothing more as read if everything up to time 10 is read',
  async (createdAt) => {
    const known = conversation({ lastMessage: last(20, 'z'), readUntil: 10, unreadCount: 3 });
    const next = await withMessage(known, message('outbound', createdAt), never);
    expect(next).toMatchObject({ readUntil: 10, unreadCount: 3 });
  },
);
