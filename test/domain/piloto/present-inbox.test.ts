/** Which parts of the inbox responses show, and which they hide. */
import { expect, test } from 'vitest';
import { newPost } from '../../../shared/domain/piloto/comments/post.ts';
import { type Conversation, newConversation } from '../../../shared/domain/piloto/conversations/conversation.ts';
import {
  presentComment,
  presentConversation,
  presentMessage,
  presentPost,
} from '../../../shared/domain/piloto/present-inbox.ts';

const page = { accountId: 'account', channel: 'instagram', pageId: 'page' } as const;
const participant = { id: 'ana', username: 'ana', name: 'Ana', avatarUrl: null };
const hour = 3_600_000;

const conversation: Conversation = {
  ...newConversation(page, 'conversation', participant),
  participant,
  lastMessage: { messageId: 'm', direction: 'inbound', text: 'Oi', createdAt: hour },
  lastInboundAt: hour,
  unreadCount: 1,
  updatedAt: hour,
};

test('a conversation is presented with its last message and the end of its reply window', () => {
  expect(presentConversation(conversation)).toEqual({
    id: 'conversation',
    channel: 'instagram',
    participant,
    lastMessage: { id: 'm', direction: 'inbound', text: 'Oi', createdAt: '1970-01-01T01:00:00.000Z' },
    unreadCount: 1,
    replyUntil: '1970-01-02T01:00:00.000Z',
    updatedAt: '1970-01-01T01:00:00.000Z',
  });
});

test('a conversation without a message is presented as one that cannot be answered', () => {
  const empty = { ...conversation, lastMessage: null, lastInboundAt: null };
  expect(presentConversation(empty)).toMatchObject({ lastMessage: null, replyUntil: null });
});

test('a message is presented with its delivery status', () => {
  const message = {
    messageId: 'm',
    networkId: 'network',
    direction: 'outbound',
    text: null,
    attachments: [{ type: 'image', url: 'https://example.com/1' }],
    status: 'sent',
    createdAt: hour,
    storedAt: hour,
    sentBy: 'request',
  } as const;
  expect(presentMessage(message, { ...conversation, seenUntil: hour })).toEqual({
    id: 'm',
    direction: 'outbound',
    text: null,
    attachments: [{ type: 'image', url: 'https://example.com/1' }],
    status: 'read',
    createdAt: '1970-01-01T01:00:00.000Z',
  });
});

test('a post is presented with the details that are known', () => {
  const details = { caption: null, thumbnailUrl: null, permalink: 'https://example.com/p' };
  const post = { ...newPost(page, 'post', 'network'), commentCount: 2, unansweredCount: 1, lastCommentAt: hour };
  expect(presentPost({ ...post, details })).toEqual({
    postId: 'post',
    channel: 'instagram',
    ...details,
    commentCount: 2,
    unansweredCount: 1,
    lastCommentAt: '1970-01-01T01:00:00.000Z',
  });
  const unknown = 'a listed post has no details';
  expect(() => presentPost(post)).toThrow(unknown);
  expect(() => presentPost({ ...post, details, lastCommentAt: null })).toThrow(unknown);
});

test('a comment is presented without its id at the social network', () => {
  const shown = { parentId: null, author: participant, text: 'Oi', hidden: false, liked: true, likeCount: 1 };
  const comment = { ...shown, commentId: 'c', networkId: 'network', isOwn: true, createdAt: hour, storedAt: hour };
  expect(presentComment(comment)).toEqual({ ...shown, id: 'c', createdAt: '1970-01-01T01:00:00.000Z' });
});
