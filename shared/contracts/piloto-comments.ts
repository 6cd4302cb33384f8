/** Operations by which accounts read, answer and moderate comments on posts of their connected pages. */
import * as z from 'zod';
import { page, paging, shortText, text, timestamp } from './fields.ts';
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

const CommentedPost = once(() =>
  z
    .object({
      postId: inboxId(),
      channel: channel(),
      caption: writtenText().nullable().describe('The text of the post; null if it has none.'),
      thumbnailUrl: networkUrl().nullable().describe('The address of a picture, which expires; null if there is none.'),
      permalink: networkUrl().describe('The public address of the post.'),
      commentCount: z.int().min(1).describe('All its comments, with replies and hidden ones.'),
      unansweredCount: z
        .int()
        .min(0)
        .describe('Comments of others on the post itself that are not hidden and have no reply by the page.'),
      lastCommentAt: timestamp().describe('When the newest comment was written.'),
    })
    .meta({ id: 'CommentedPost', description: 'A post that has comments.' }),
);

const PostList = once(() =>
  z
    .object({
      posts: z.array(CommentedPost()).max(100).describe('The one with the newest comment first.'),
      ...page(),
    })
    .meta({ id: 'CommentedPostList', description: 'A page of posts that have comments.' }),
);

const CommentAuthor = once(() =>
  z
    .object({
      id: shortText(128).describe('The author’s id in the network.'),
      username: shortText().describe('The name of the author’s profile.'),
    })
    .meta({ id: 'CommentAuthor', description: 'The author.' }),
);

const Comment = once(() =>
  z
    .object({
      id: inboxId(),
      parentId: inboxId().nullable().describe('The comment that it replies to; null for one on the post itself.'),
      author: CommentAuthor(),
      text: writtenText().describe('The text.'),
      hidden: z.boolean().describe('Whether only its author and the page see it.'),
      liked: z.boolean().describe('Whether the page likes it.'),
      likeCount: z.int().min(0).describe('The number of likes.'),
      createdAt: timestamp().describe('When it was written.'),
    })
    .meta({ id: 'InboxComment', description: 'A comment on a post, or a reply to one.' }),
);

const CommentList = once(() =>
  z
    .object({
      postId: inboxId(),
      comments: z.array(Comment()).max(100).describe('Newest first, with replies among them.'),
      ...page(),
    })
    .meta({ id: 'InboxCommentList', description: 'A page of comments.' }),
);

const ReplyRequest = once(() =>
  z
    .object({
      text: text(1, 1000).describe('What the page writes.'),
      commentId: inboxIdOf('comment').optional().describe('The comment to reply to; without it, the post itself.'),
    })
    .meta({ id: 'CommentReplyRequest' }),
);

const Visibility = once(() =>
  z
    .object({ commentId: inboxId(), hidden: z.boolean().describe('Whether the comment is now hidden.') })
    .meta({ id: 'CommentVisibility', description: 'Whether a comment is hidden.' }),
);

const Like = once(() =>
  z
    .object({ commentId: inboxId(), liked: z.boolean().describe('Whether the page now likes the comment.') })
    .meta({ id: 'CommentLike', description: 'Whether the page likes a comment.' }),
);

const post = () => inboxIdOf('post').describe('The id of the post.');
const postParams = once(() => z.object({ postId: post() }));
const commentParams = once(() =>
  z.object({ postId: post(), commentId: inboxIdOf('comment').describe('The id of the comment.') }),
);
const postQuery = once(() => z.object(paging(inboxIdOf('post'))));
const commentQuery = once(() => z.object(paging(inboxIdOf('comment'))));

const postId = 'Tg1sLpKzR9qb2wVm3Fc4xJ';
const commentId = 'ioAh2EvXmW7cKd5u0NyQ8b';
const comments = `${pilotoPath}/comments` as const;

const exampleComment = {
  id: commentId,
  parentId: null,
  author: { id: '1784140000000001', username: 'ana.souza' },
  text: 'Tem na cor azul?',
  hidden: false,
  liked: false,
  likeCount: 2,
  createdAt: '2026-11-21T12:00:00.000Z',
} as const;

/** Operations that change a comment; repeating one has no further effect. */
const moderating = { ...writing, errors: ['NOT_FOUND', 'PROVIDER_UNAVAILABLE'] } as const;

const visibility = {
  ...moderating,
  path: `${comments}/{postId}/{commentId}/hide`,
  success: {
    status: 200,
    get data() {
      return Visibility();
    },
  },
} as const;

const like = {
  ...moderating,
  path: `${comments}/{postId}/{commentId}/like`,
  success: {
    status: 200,
    get data() {
      return Like();
    },
  },
} as const;

const repeatable = 'It can be repeated. Takes no body.';
const notOnInstagram = 'Instagram does not let pages like comments: there, the response is 400.';

export const pilotoCommentContracts = {
  listCommentedPosts: {
    ...reading,
    operationId: 'listCommentedPosts',
    path: comments,
    summary: 'List posts with comments',
    description: `The posts of the account's connected pages that have comments, the one with the newest comment first. The list is read from a copy that events of the network keep up to date; a new post appears within about five minutes. A post that has just changed may be at its former place for about a second. ${moving('post', 'a comment')} ${unknownAfter('a listed post')} ${notConnected}`,
    get query() {
      return postQuery();
    },
    success: {
      status: 200,
      rows: 'posts',
      get data() {
        return PostList();
      },
    },
    errors: [],
    example: {
      data: {
        posts: [
          {
            postId,
            channel: 'instagram',
            caption: 'A nova coleção chegou.',
            thumbnailUrl: null,
            permalink: 'https://www.instagram.com/p/C1a2b3c4d5e/',
            commentCount: 3,
            unansweredCount: 1,
            lastCommentAt: exampleComment.createdAt,
          },
        ],
        limit: 20,
        offset: 0,
      },
    },
  },
  listComments: {
    ...reading,
    operationId: 'listComments',
    path: `${comments}/{postId}`,
    summary: 'List comments',
    description: `The comments on a post and the replies to them, newest first. ${unknownAfter('a comment on the post')} ${notConnected}`,
    get params() {
      return postParams();
    },
    get query() {
      return commentQuery();
    },
    success: {
      status: 200,
      rows: 'comments',
      get data() {
        return CommentList();
      },
    },
    errors: ['NOT_FOUND'],
    example: { params: { postId }, data: { postId, comments: [exampleComment], limit: 20, offset: 0 } },
  },
  replyToComment: {
    ...writing,
    idempotent: true,
    operationId: 'replyToComment',
    path: `${comments}/{postId}`,
    summary: 'Comment, or reply to a comment',
    description: `Writes a comment in the name of the page: a reply to \`commentId\` or, without it, a comment on the post. Networks show replies on one level: a reply to a reply goes to the comment above it, which \`parentId\` then names. ${idempotentWriteNote('the comment')} ${onlyWhileConnected}`,
    get params() {
      return postParams();
    },
    get body() {
      return ReplyRequest();
    },
    success: {
      status: 201,
      get data() {
        return Comment();
      },
    },
    errors: ['NOT_FOUND', 'IDEMPOTENCY_CONFLICT', 'PROVIDER_UNAVAILABLE'],
    example: {
      params: { postId },
      body: { text: 'Sim! O link está no perfil.', commentId },
      data: {
        ...exampleComment,
        id: 'xcDfG5jHkL8nBz4Yv9Ts2Q',
        parentId: commentId,
        author: { id: '1784140000000099', username: 'minha.loja' },
        text: 'Sim! O link está no perfil.',
        likeCount: 0,
        createdAt: '2026-11-21T12:01:00.000Z',
      },
    },
  },
  hideComment: {
    ...visibility,
    operationId: 'hideComment',
    repeatable: true,
    summary: 'Hide a comment',
    description: `Hides a comment from everyone but its author and the page. ${repeatable} ${onlyWhileConnected}`,
    get params() {
      return commentParams();
    },
    example: { params: { postId, commentId }, data: { commentId, hidden: true } },
  },
  unhideComment: {
    ...visibility,
    method: 'DELETE',
    operationId: 'unhideComment',
    summary: 'Show a hidden comment again',
    description: `Makes the comment visible to everyone again. ${repeatable} ${onlyWhileConnected}`,
    get params() {
      return commentParams();
    },
    example: { params: { postId, commentId }, data: { commentId, hidden: false } },
  },
  likeComment: {
    ...like,
    operationId: 'likeComment',
    repeatable: true,
    summary: 'Like a comment',
    description: `Likes the comment as the page. ${notOnInstagram} ${repeatable} ${onlyWhileConnected}`,
    get params() {
      return commentParams();
    },
    example: { params: { postId, commentId }, data: { commentId, liked: true } },
  },
  unlikeComment: {
    ...like,
    method: 'DELETE',
    operationId: 'unlikeComment',
    summary: 'Withdraw the like of a comment',
    description: `Removes the page's like from the comment. ${notOnInstagram} ${repeatable} ${onlyWhileConnected}`,
    get params() {
      return commentParams();
    },
    example: { params: { postId, commentId }, data: { commentId, liked: false } },
  },
} as const satisfies Record<string, OperationContract>;
