/** Which comments count on their post, comment by comment, and when a post need not be read. */
import { expect, test } from 'vitest';
import {
  type Comment,
  isCopied,
  isMoreListed,
  newCommentRow,
  newPost,
  type PostChange,
  withChangedComment,
  withComment,
  withCount,
  withoutComment,
} from '../../../../shared/domain/piloto/comments/post.ts';

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

const empty: PostChange = {
  post,
  rows: new Map(['question', 'reply', 'own', 'old'].map((id) => [id, newCommentRow(id)])),
};
const question = withComment(empty, comment('question'));
const reply = comment('reply', { isOwn: true, parentId: 'question' });

test('a post’s comment count is trusted if as many comments were copied, or if the same difference was found twice', () => {
  const two = { ...post, commentCount: 2 };
  expect(withCount(two, 3, true).counted).toEqual({ comments: 3, unlisted: 1, isSettled: false });
  const agreed = withCount(two, 2, true);
  expect(agreed).toEqual({ ...two, counted: { comments: 2, unlisted: 0, isSettled: true } });
  expect(withCount(agreed, 2, true)).toBe(agreed);
  const once = withCount(agreed, 3, true);
  expect(once.counted).toEqual({ comments: 3, unlisted: 1, isSettled: false });
  const twice = withCount(once, 3, true);
  expect(twice.counted).toEqual({ comments: 3, unlisted: 1, isSettled: true });
  expect(withCount(twice, 3, false)).toBe(twice);
  expect(withCount(twice, 4, true).counted).toEqual({ comments: 4, unlisted: 2, isSettled: false });
  expect(withCount(twice, 2, true).counted).toEqual({ comments: 2, unlisted: 0, isSettled: true });
});

test('an incomplete read of a post’s comments never raises how many of them the social network is known to hide', () => {
  const one = { ...post, commentCount: 2, counted: { comments: 3, unlisted: 1, isSettled: true } };
  const read = (commentCount: number, comments: number) => withCount({ ...one, commentCount }, comments, false).counted;
  expect(read(3, 4)).toEqual({ comments: 4, unlisted: 1, isSettled: true });
  expect(read(2, 4)).toEqual({ comments: 4, unlisted: 1, isSettled: false });
  expect(read(4, 4)).toEqual({ comments: 4, unlisted: 0, isSettled: true });
  expect(read(5, 4)).toEqual({ comments: 4, unlisted: 0, isSettled: false });
  const fewer = { ...one, counted: { comments: 1, unlisted: -1, isSettled: true } };
  expect(withCount({ ...fewer, commentCount: 4 }, 2, false).counted).toEqual({
    comments: 2,
    unlisted: -1,
    isSettled: false,
  });
});

test('more pages of comments are read as long as the rest of the list may contain comments to copy or to compare', () => {
  const of = (commentCount: number, unlisted: number) => ({
    ...post,
    commentCount,
    counted: { comments: 5, unlisted, isSettled: true },
  });
  expect(isMoreListed(of(5, 0), 6)).toBe(true);
  expect(isMoreListed(of(6, 0), 6)).toBe(false);
  expect(isMoreListed(of(7, 0), 6)).toBe(false);
  expect(isMoreListed(of(5, 1), 6)).toBe(false);
  expect(isMoreListed(of(4, 1), 6)).toBe(true);
  expect(isMoreListed(of(6, 0), 5)).toBe(false);
  expect(isMoreListed(of(5, 0), 4)).toBe(true);
  expect(isMoreListed(of(4, 0), 4)).toBe(false);
  expect(isMoreListed({ ...post, commentCount: 5 }, 5)).toBe(false);
  expect(isMoreListed({ ...post, commentCount: 6 }, 5)).toBe(true);
  expect(isMoreListed({ ...post, commentCount: 4 }, 5)).toBe(true);
});

test('all comments of a post count as copied if the social network states the same count as when that count was trusted', () => {
  const counted = (isSettled: boolean) => ({ ...post, counted: { comments: 2, unlisted: 0, isSettled } });
  expect(isCopied(counted(true), { commentCount: 2 })).toBe(true);
  expect(isCopied(counted(true), { commentCount: 3 })).toBe(false);
  expect(isCopied(counted(false), { commentCount: 2 })).toBe(false);
  expect(isCopied(post, { commentCount: 0 })).toBe(false);
  expect(isCopied(post, {})).toBe(false);
});

test('a page’s own top-level comment does not count as an answer to other comments', () => {
  const { rows, post: after } = withComment(empty, comment('own', { isOwn: true }));
  expect([...rows.values()].filter((row) => row !== empty.rows.get(row.commentId))).toMatchObject([
    { commentId: 'own' },
  ]);
  expect(after).toMatchObject({ commentCount: 1, unansweredCount: 0 });
});

test('replies of other people do not count as the page’s answer', () => {
  const { rows, post: after } = withComment(question, comment('reply', { parentId: 'question' }));
  expect(rows.get('question')?.ownReplies).toBe(0);
  expect(after).toMatchObject({ commentCount: 2, unansweredCount: 1 });
});

test('a reply of the page counts as the answer to the comment above it, even if that comment arrives later', () => {
  const early = withComment(empty, reply);
  expect(early.rows.get('question')).toEqual({ commentId: 'question', ownReplies: 1 });
  expect(withComment(early, comment('question')).post).toMatchObject({ commentCount: 2, unansweredCount: 0 });
});

test('a reply of the page that is reported twice counts once', () => {
  const answered = withComment(question, reply);
  const row = answered.rows.get('reply');
  if (!row) throw new Error('there is no reply');
  const again = withChangedComment(answered, row, { ...reply, text: 'R$ 189' });
  expect(again.rows.get('question')?.ownReplies).toBe(1);
  expect(again.rows.get('reply')?.comment?.text).toBe('R$ 189');
});

test('a changed reply of the page counts as an answer even if its previous version is unknown', () => {
  const changed = withChangedComment(question, { commentId: 'reply', ownReplies: 0 }, reply);
  expect(changed.post).toMatchObject({ commentCount: 2, unansweredCount: 0 });
});

test('an older comment does not become the last comment of its post', () => {
  expect(withComment(question, comment('old', { createdAt: 5 })).post.lastCommentAt).toBe(10);
});

test.for(['reply', 'question'])(
  'a reply of the page can be neither added nor removed if the row of the %s has not been read',
  (unread) => {
    const without = ({ post: of, rows }: PostChange) => ({
      post: of,
      rows: new Map([...rows].filter(([id]) => id !== unread)),
    });
    const answered = withComment(question, reply);
    for (const change of [
      () => withComment(without(question), reply),
      () => withoutComment(without(answered), 'reply', 20),
    ])
      expect(change).toThrow('the row of a comment has not been read');
  },
);

test('removing a reply of the page changes nothing of a comment whose count has been lost', () => {
  const { post: answered, rows } = withComment(question, reply);
  const lost = { post: answered, rows: new Map(rows).set('question', newCommentRow('question')) };
  expect(withoutComment(lost, 'reply', 20).rows.get('question')).toBe(lost.rows.get('question'));
});
