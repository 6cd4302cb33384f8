/** Operations by which accounts read and answer the conversations of their connected pages. */
import * as z from 'zod';
import { maxAttachments } from './channels.ts';
import { Flag, oneOf, page, paging, shortText, text, timestamp } from './fields.ts';
import { once } from './once.ts';
import type { OperationContract } from './operation.ts';
import {
  channel,
  idempotentWriteNote,
  inboxId,
  inboxIdOf,
  moving,
  networkUrl,
  notConnected,
  onlyWhileConnected,
  pilotoPath,
  reading,
  unknownAfter,
  writing,
  writtenText,
} from './piloto.ts';

const directions = ['inbound', 'outbound'] as const;
const messageStatuses = ['sent', 'delivered', 'read', 'failed'] as const;

/** Instagram's limit for a message, in bytes of UTF-8. */
export const instagramTextBytes = 1000;

const MessageDirection = once(() => oneOf(directions).meta({ id: 'MessageDirection' }));

const direction = () => MessageDirection().describe('`inbound`: the participant wrote it; `outbound`: the page did.');

const Participant = once(() =>
  z
    .object({
      id: shortText(128).describe('The participant’s id in the network.'),
      username: shortText().nullable().describe('The name of the participant’s profile; null if unknown.'),
      name: shortText().nullable().describe('The participant’s name; null if unknown.'),
      avatarUrl: networkUrl()
        .nullable()
        .describe(
          'The address of a picture at the network, which expires within days: show it, but do not store it. Null if there is none, or it is not known yet.',
        ),
    })
    .meta({ id: 'Participant', description: 'The person who writes with the page.' }),
);

const LastMessage = once(() =>
  z
    .object({
      id: inboxId(),
      direction: direction(),
      text: writtenText().nullable().describe('Null for a message without text.'),
      createdAt: timestamp().describe('When it was written.'),
    })
    .meta({ id: 'LastMessage' }),
);

const Conversation = once(() =>
  z
    .object({
      id: inboxId(),
      channel: channel(),
      participant: Participant(),
      lastMessage: LastMessage().nullable().describe('The newest message.'),
      unreadCount: z.int().min(0).describe('The inbound messages after the last one that was read or answered.'),
      replyUntil: timestamp()
        .nullable()
        .describe('Until when the page may write: 24 hours after the last inbound message; null before the first.'),
      updatedAt: timestamp().describe('When the last message was written.'),
    })
    .meta({ id: 'Conversation', description: 'What the page and one participant write to each other.' }),
);

const ConversationList = once(() =>
  z
    .object({
      conversations: z.array(Conversation()).max(100).describe('The one with the newest message first.'),
      ...page(),
    })
    .meta({ id: 'ConversationList', description: 'A page of conversations.' }),
);

const Attachment = once(() =>
  z
    .object({
      type: shortText(40).describe('Such as `image`, `video` or `audio`.'),
      url: networkUrl().describe('Its address at the network, which works for a limited time.'),
    })
    .meta({ id: 'Attachment', description: 'A file that belongs to a message.' }),
);

const messageShape = () => ({
  id: inboxId(),
  direction: direction(),
  text: writtenText().nullable().describe('Null for a message without text.'),
  attachments: z.array(Attachment()).max(maxAttachments).describe('Files that belong to it.'),
  status: z
    .enum(messageStatuses)
    .describe('The delivery status of an outbound message; an inbound message is `read` once it was read or answered.'),
  createdAt: timestamp().describe('When it was written.'),
});

const Message = once(() =>
  z.object(messageShape()).meta({ id: 'InboxMessage', description: 'A message of a conversation.' }),
);

const MessageList = once(() =>
  z
    .object({
      conversationId: inboxId(),
      messages: z.array(Message()).max(100).describe('Newest first.'),
      ...page(),
    })
    .meta({ id: 'InboxMessageList', description: 'A page of messages.' }),
);

const ReadMark = once(() =>
  z
    .object({
      conversationId: inboxId(),
      unreadCount: z.int().min(0).max(0).describe('Nothing is unread.'),
      readAt: timestamp().describe(
        'When it was last marked as read; if it never was, and nothing is unread, the time of this request.',
      ),
    })
    .meta({ id: 'ReadMark', description: 'A conversation without unread messages.' }),
);

const MessageRequest = once(() =>
  z.object({ text: text(1, 1000).describe('What the page writes.') }).meta({ id: 'InboxMessageRequest' }),
);

const params = once(() =>
  z.object({ conversationId: inboxIdOf('conversation').describe('The id of the conversation.') }),
);
const messageQuery = once(() => z.object(paging(inboxIdOf('message'))));
const conversationQuery = once(() =>
  z.object({
    ...paging(inboxIdOf('conversation')),
    unread: Flag().optional().describe('`true`: only conversations with unread messages.'),
  }),
);

const conversationId = 'Jx4cF3mVw2bq9RzKpLs1Tg';
const exampleMessage = {
  id: 'b8QyN0u5dKc7WmXvE2hAoi',
  direction: 'inbound',
  text: 'Vocês entregam em Recife?',
  attachments: [],
  status: 'delivered',
  createdAt: '2026-11-21T12:00:00.000Z',
} as const;

const conversations = `${pilotoPath}/conversations` as const;

export const pilotoMessageContracts = {
  listConversations: {
    ...reading,
    operationId: 'listConversations',
    path: conversations,
    summary: 'List conversations',
    description: `The conversations of the account's connected Instagram and Facebook pages, the one with the newest message first. The list is read from a copy that events of the network keep up to date, usually within seconds; what no event has reported follows within about five minutes. A conversation that has just changed may be at its former place for about a second. ${moving('conversation', 'a message')} ${unknownAfter('a conversation of the account')} ${notConnected}`,
    get query() {
      return conversationQuery();
    },
    success: {
      status: 200,
      rows: 'conversations',
      get data() {
        return ConversationList();
      },
    },
    errors: [],
    example: {
      data: {
        conversations: [
          {
            id: conversationId,
            channel: 'instagram',
            participant: { id: '1784140000000001', username: 'ana.souza', name: 'Ana Souza', avatarUrl: null },
            lastMessage: {
              id: exampleMessage.id,
              direction: 'inbound',
              text: exampleMessage.text,
              createdAt: exampleMessage.createdAt,
            },
            unreadCount: 1,
            replyUntil: '2026-11-22T12:00:00.000Z',
            updatedAt: exampleMessage.createdAt,
          },
        ],
        limit: 20,
        offset: 0,
      },
    },
  },
  listMessages: {
    ...reading,
    operationId: 'listMessages',
    path: `${conversations}/{conversationId}/messages`,
    summary: 'List messages',
    description: `The messages of a conversation, newest first. Messages that were withdrawn in the network are removed. ${unknownAfter('a message of the conversation')} ${notConnected}`,
    get params() {
      return params();
    },
    get query() {
      return messageQuery();
    },
    success: {
      status: 200,
      rows: 'messages',
      get data() {
        return MessageList();
      },
    },
    errors: ['NOT_FOUND'],
    example: {
      params: { conversationId },
      data: { conversationId, messages: [exampleMessage], limit: 20, offset: 0 },
    },
  },
  sendMessage: {
    ...writing,
    idempotent: true,
    operationId: 'sendMessage',
    path: `${conversations}/{conversationId}/messages`,
    summary: 'Send a message',
    description: `Writes to the participant in the name of the page. Networks let pages write for 24 hours after the participant's last message; later, the response is 409 \`REPLY_WINDOW_CLOSED\`. Instagram takes at most ${instagramTextBytes} bytes of UTF-8: a longer text is a 400. Replying marks all earlier messages as read. ${idempotentWriteNote('the message')} ${onlyWhileConnected}`,
    get params() {
      return params();
    },
    get body() {
      return MessageRequest();
    },
    success: {
      status: 201,
      get data() {
        return Message();
      },
    },
    errors: ['NOT_FOUND', 'REPLY_WINDOW_CLOSED', 'IDEMPOTENCY_CONFLICT', 'PROVIDER_UNAVAILABLE'],
    example: {
      params: { conversationId },
      body: { text: 'Sim, em até três dias.' },
      data: {
        id: 'Q2sT9vY4zBn8LkHj5GfDcx',
        direction: 'outbound',
        text: 'Sim, em até três dias.',
        attachments: [],
        status: 'sent',
        createdAt: '2026-11-21T12:01:00.000Z',
      },
    },
  },
  markConversationRead: {
    ...writing,
    operationId: 'markConversationRead',
    repeatable: true,
    path: `${conversations}/{conversationId}/read`,
    summary: 'Mark a conversation as read',
    description: `Marks every message that is in the conversation now as read, here and in the network. It can be repeated: without unread messages, nothing is done. Takes no body. ${onlyWhileConnected}`,
    get params() {
      return params();
    },
    success: {
      status: 200,
      get data() {
        return ReadMark();
      },
    },
    errors: ['NOT_FOUND', 'PROVIDER_UNAVAILABLE'],
    example: {
      params: { conversationId },
      data: { conversationId, unreadCount: 0, readAt: '2026-11-21T12:00:30.000Z' },
    },
  },
} as const satisfies Record<string, OperationContract>;
