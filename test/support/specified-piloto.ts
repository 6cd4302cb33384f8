/** The operations of the piloto inbox, typed from the supplement's text and never derived from the code. */
import { authenticated, fields, listOf, pagedBy, readOnly } from './specified-operation.ts';

const id = { kind: 'inbox id', required: true } as const;
const paged = pagedBy('inbox id');
const text = { kind: 'text', from: 1, to: 1000, required: true } as const;

const ofThings = { ...authenticated, NOT_FOUND: 404 };
const reading = { ...readOnly, scopes: ['read:piloto'], feature: 'piloto', errors: authenticated } as const;
const writing = { ...reading, method: 'POST', scopes: ['write:piloto'], errors: ofThings } as const;

const conversation = fields(`
  id channel, participant: object, participant.id,
  participant.username participant.name participant.avatarUrl: string|null,
  lastMessage: object|null, lastMessage.id lastMessage.direction, lastMessage.text: string|null,
  lastMessage.createdAt, unreadCount: integer, replyUntil: string|null, updatedAt
`);

const message = fields(`
  id direction, text: string|null, attachments: array, attachments[].type attachments[].url status
  createdAt
`);

const post = fields(`
  postId channel, caption thumbnailUrl: string|null, permalink, commentCount unansweredCount: integer, lastCommentAt
`);

const comment = fields(`
  id, parentId: string|null, author: object, author.id author.username text, hidden liked: boolean,
  likeCount: integer, createdAt
`);

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
    ...paged,
    query: { ...paged.query, unread: { kind: 'one of', values: ['true', 'false'] } },
    data: listOf('conversations', conversation),
  },
  listMessages: {
    ...reading,
    path: `${conversations}/{conversationId}/messages`,
    params: { conversationId: id },
    ...paged,
    errors: ofThings,
    data: { conversationId: 'string', ...listOf('messages', message) },
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
    ...paged,
    data: listOf('posts', post),
  },
  listComments: {
    ...reading,
    path: `${comments}/{postId}`,
    params: { postId: id },
    ...paged,
    errors: ofThings,
    data: { postId: 'string', ...listOf('comments', comment) },
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
