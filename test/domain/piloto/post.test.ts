/** By which rules comments count, comment by comment, and when a post need not be read. */
import { expect, test } from 'vitest';
import {
  type Comment,
  isCopied,
  newPost,
  type PostChange,
  withChangedComment,
  withComment,
  withCount,
  withoutComment,
} from '../../../shared/domain/piloto/post.ts';

const post = newPost({ accountId: 'account', channel: 'facebook', pageId: 'page' }, 'post', 'network');

const comment = (commentId: string, change: Partial<Comment> = {}): Comment => ({
  commentId,
  networkId: commentId,
  parentId: null,
  author: { id: 'ana', username: 'ana' },
  isOwn: false,
  text: 'Quanto custa?',
  hidden: false,
  liked: false,
  likeCount: 0,
  createdAt: 10,
  storedAt: 10,
  ...change,
});

const empty: PostChange = { post, rows: new Map() };
const question = withComment(empty, comment('question'));
const reply = comment('reply', { isOwn: true, parentId: 'question' });

test('a number is settled if the copy has as many comments, or if they were read twice', () => {
  const two = { ...post, commentCount: 2 };
  expect(withCount(two, 3).counted).toEqual({ comments: 3, isSettled: false });
  const agreed = withCount(two, 2);
  expect(agreed).toEqual({ ...two, counted: { comments: 2, isSettled: true } });
  expect(withCount(agreed, 2)).toBe(agreed);
  const once = withCount(agreed, 3);
  expect(once).toEqual({ ...two, counted: { comments: 3, isSettled: false } });
  const twice = withCount(once, 3);
  expect(twice).toEqual({ ...two, counted: { comments: 3, isSettled: true } });
  expect(withCount(twice, 3)).toBe(twice);
  expect(withCount(twice, 4).counted).toEqual({ comments: 4, isSettled: false });
  expect(withCount(twice, 2).counted).toEqual({ comments: 2, isSettled: true });
});

test('comments are copied if the network counts as many as were settled', () => {
  const counted = (isSettled: boolean) => ({ ...post, counted: { comments: 2, isSettled } });
  expect(isCopied(counted(true), { commentCount: 2 })).toBe(true);
  expect(isCopied(counted(true), { commentCount: 3 })).toBe(false);
  expect(isCopied(counted(false), { commentCount: 2 })).toBe(false);
  expect(isCopied(post, { commentCount: 0 })).toBe(false);
  expect(isCopied(post, {})).toBe(false);
});

test('the page’s own comments on the post answer nothing', () => {
  const { rows, post: after } = withComment(empty, comment('own', { isOwn: true }));
  expect([...rows.keys()]).toEqual(['own']);
  expect(after).toMatchObject({ commentCount: 1, unansweredCount: 0 });
});

test('replies of others answer nothing', () => {
  const { rows, post: after } = withComment(question, comment('reply', { parentId: 'question' }));
  expect(rows.get('question')?.ownReplies).toBe(0);
  expect(after).toMatchObject({ commentCount: 2, unansweredCount: 1 });
});

test('a reply of the page counts for what it replies to, even before that is known', () => {
  const early = withComment(empty, reply);
  expect(early.rows.get('question')).toEqual({ commentId: 'question', ownReplies: 1 });
  expect(withComment(early, comment('question')).post).toMatchObject({ commentCount: 2, unansweredCount: 0 });
});

test('a reply of the page that is reported again counts once', () => {
  const answered = withComment(question, reply);
  const row = answered.rows.get('reply');
  if (!row) throw new Error('there is no reply');
  const again = withChangedComment(answered, row, { ...reply, text: 'R$ 189' });
  expect(again.rows.get('question')?.ownReplies).toBe(1);
  expect(again.rows.get('reply')?.comment?.text).toBe('R$ 189');
});

test('a comment that takes the place of nothing counts as one of the page', () => {
  const changed = withChangedComment(question, { commentId: 'reply', ownReplies: 0 }, reply);
  expect(changed.post).toMatchObject({ commentCount: 2, unansweredCount: 0 });
});

test('an old comment is not the last one', () => {
  expect(withComment(question, comment('old', { createdAt: 5 })).post.lastCommentAt).toBe(10);
});

test('a reply is not removed without the row of what it replies to', () => {
  const { post: answered, rows } = withComment(question, reply);
  const partly = { post: answered, rows: new Map([...rows].filter(([id]) => id === 'reply')) };
  expect(() => withoutComment(partly, 'reply', 20)).toThrow('the row of what a reply belongs to has not been read');
});
