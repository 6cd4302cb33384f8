/** Presents conversations, messages, posts and comments in responses. */
import { timestamp } from '../../platform/clock.ts';
import type { Comment, Post } from './comments/post.ts';
import { type Conversation, type Message, replyUntilOf, statusOf } from './conversations/conversation.ts';

const timeOrNull = (at: number | null): string | null => (at === null ? null : timestamp(at));

export function presentConversation(conversation: Conversation) {
  const { conversationId: id, channel, participant, lastMessage, unreadCount, updatedAt } = conversation;
  return {
    id,
    channel,
    participant,
    lastMessage: lastMessage && {
      id: lastMessage.messageId,
      direction: lastMessage.direction,
      text: lastMessage.text,
      createdAt: timestamp(lastMessage.createdAt),
    },
    unreadCount,
    replyUntil: timeOrNull(replyUntilOf(conversation)),
    updatedAt: timestamp(updatedAt),
  };
}

export const presentMessage = (message: Message, conversation: Conversation) => ({
  id: message.messageId,
  direction: message.direction,
  text: message.text,
  attachments: [...message.attachments],
  status: statusOf(message, conversation),
  createdAt: timestamp(message.createdAt),
});

/** Presents a listed post, which always has known details and a comment. */
export function presentPost({ postId, channel, details, commentCount, unansweredCount, lastCommentAt }: Post) {
  if (!details || lastCommentAt === null) throw new Error('a listed post has no details');
  return { postId, channel, ...details, commentCount, unansweredCount, lastCommentAt: timestamp(lastCommentAt) };
}

export const presentComment = (comment: Comment) => ({
  id: comment.commentId,
  parentId: comment.parentId,
  author: comment.author,
  text: comment.text,
  hidden: comment.hidden,
  liked: comment.liked,
  likeCount: comment.likeCount,
  createdAt: timestamp(comment.createdAt),
});
