/** The operations of the piloto inbox, typed from the supplement's text and never derived from the code. */
import { authenticated, readOnly } from './specified-operation.ts';

const paging = {
  limit: { kind: 'query integer', from: 1, to: 100, byDefault: 20 },
  offset: { kind: 'query integer', from: 0, to: 10_000, byDefault: 0 },
} as const;

const id = { kind: 'inbox id', required: true } as const;
const text = { kind: 'text', from: 1, to: 1000, required: true } as const;

const ofThings = { ...authenticated, NOT_FOUND: 404 };
const reading = { ...readOnly, scopes: ['read:piloto'], feature: 'piloto', errors: authenticated } as const;
const writing = { ...reading, method: 'POST', scopes: ['write:piloto'], errors: ofThings } as const;

const inList = (list: string, fields: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, type]) => [`${list}[].${name}`, type]));

const message = {
  id: 'string',
  direction: 'string',
  text: 'string|null',
  attachments: 'array',
  'attachments[].type': 'string',
  'attachments[].url': 'string',
  status: 'string',
  createdAt: 'string',
};

const comment = {
  id: 'string',
  parentId: 'string|null',
  author: 'object',
  'author.id': 'string',
  'author.username': 'string',
  text: 'string',
  hidden: 'boolean',
  liked: 'boolean',
  likeCount: 'integer',
  createdAt: 'string',
};

const page = { limit: 'integer', offset: 'integer' };

const conversations = '/api/v1/piloto/inbox/conversations';
const comments = '/api/v1/piloto/inbox/comments';

const moderating = { ...writing, params: { postId: id, commentId: id } } as const;
const hiding = {
  ...moderating,
  path: `${comments}/{postId}/{commentId}/hide`,
  data: { commentId: 'string', hidden: 'boolean' },
};
const liking = {
  ...moderating,
  path: `${comments}/{postId}/{commentId}/like`,
  data: { commentId: 'string', liked: 'boolean' },
};

export const specifiedPiloto = {
  listConversations: {
    ...reading,
    path: conversations,
    query: { ...paging, unread: { kind: 'one of', values: ['true', 'false'] } },
    data: {
      conversations: 'array',
      ...inList('conversations', {
        id: 'string',
        channel: 'string',
        participant: 'object',
        'participant.id': 'string',
        'participant.username': 'string|null',
        'participant.name': 'string|null',
        'participant.avatarUrl': 'string|null',
        lastMessage: 'object|null',
        'lastMessage.id': 'string',
        'lastMessage.direction': 'string',
        'lastMessage.text': 'string|null',
        'lastMessage.createdAt': 'string',
        unreadCount: 'integer',
        replyUntil: 'string|null',
        updatedAt: 'string',
      }),
      ...page,
    },
  },
  listMessages: {
    ...reading,
    path: `${conversations}/{conversationId}/messages`,
    params: { conversationId: id },
    query: paging,
    errors: ofThings,
    data: { conversationId: 'string', messages: 'array', ...inList('messages', message), ...page },
  },
  sendMessage: {
    ...writing,
    path: `${conversations}/{conversationId}/messages`,
    params: { conversationId: id },
    body: { text },
    success: 201,
    idempotent: true,
    errors: { ...ofThings, REPLY_WINDOW_CLOSED: 409, IDEMPOTENCY_CONFLICT: 409 },
    data: message,
  },
  markConversationRead: {
    ...writing,
    path: `${conversations}/{conversationId}/read`,
    params: { conversationId: id },
    data: { conversationId: 'string', unreadCount: 'integer', readAt: 'string' },
  },
  listCommentedPosts: {
    ...reading,
    path: comments,
    query: paging,
    data: {
      posts: 'array',
      ...inList('posts', {
        postId: 'string',
        channel: 'string',
        caption: 'string|null',
        thumbnailUrl: 'string|null',
        permalink: 'string',
        commentCount: 'integer',
        unansweredCount: 'integer',
        lastCommentAt: 'string',
      }),
      ...page,
    },
  },
  listComments: {
    ...reading,
    path: `${comments}/{postId}`,
    params: { postId: id },
    query: paging,
    errors: ofThings,
    data: { postId: 'string', comments: 'array', ...inList('comments', comment), ...page },
  },
  replyToComment: {
    ...writing,
    path: `${comments}/{postId}`,
    params: { postId: id },
    body: { text, commentId: { kind: 'inbox id' } },
    success: 201,
    idempotent: true,
    errors: { ...ofThings, IDEMPOTENCY_CONFLICT: 409 },
    data: comment,
  },
  hideComment: hiding,
  unhideComment: { ...hiding, method: 'DELETE' },
  likeComment: liking,
  unlikeComment: { ...liking, method: 'DELETE' },
} as const;
