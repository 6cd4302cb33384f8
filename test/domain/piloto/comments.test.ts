/** Comments by example: concurrent reports leave every row correct, and the counts exact. */
import { expect, test } from 'vitest';
import { commentKey, inboxIdOf } from '../../../shared/domain/inbox-keys.ts';
import { expiryAttribute } from '../../../shared/domain/keys.ts';
import {
  applyCommentChange,
  applyComments,
  removeComment,
} from '../../../shared/domain/piloto/comments/apply-comments.ts';
import type { OwnedPage } from '../../../shared/domain/piloto/conversations/conversation.ts';
import type { NetworkComment } from '../../../shared/gateways/social-network.ts';
import type { Table } from '../../../shared/platform/dynamo-table.ts';
import { tableInTests, testIds, testTime } from '../../support/test-table.ts';
import { copiedPosts } from './copied-inbox.ts';

const host = await tableInTests();

const comment = (id: string, parentId: string | null, isOwn: boolean): NetworkComment => ({
  id,
  postId: 'post',
  parentId,
  author: { id: isOwn ? 'page' : 'ana', username: 'someone' },
  isOwn,
  text: `text of ${id}`,
  hidden: false,
  liked: false,
  likeCount: 0,
  createdAt: testTime,
});

/** A table that runs a hook after one of its reads of many rows. */
function interrupted(table: Table, afterRead: number, happen: () => Promise<void>): Table {
  let reads = 0;
  return {
    ...table,
    async getMany(keys) {
      const items = await table.getMany(keys);
      reads += 1;
      if (reads === afterRead) await happen();
      return items;
    },
  };
}

test.for([1, 2])(
  'removing a reply never deletes the comment it answers, even if the reply is stored again after read %i of the removal',
  async (afterRead) => {
    const clock = { now: () => testTime };
    const page: OwnedPage = { accountId: testIds.next(), channel: 'facebook', pageId: 'page' };
    const needs = { clock, table: host.table };
    await applyComments(needs, page, 'post', [comment('question', null, false)]);
    const reply = () => applyComments(needs, page, 'post', [comment('answer', 'question', true)]);
    const removal = { postId: 'post', commentId: 'answer' };
    await removeComment({ clock, table: interrupted(host.table, afterRead, reply) }, page, removal);
    await removeComment(needs, page, removal);
    const { found, problems } = await copiedPosts(host.table, page.accountId);
    expect(problems).toEqual([]);
    expect(found).toMatchObject([{ post: { unansweredCount: 1 }, comments: [{ text: 'text of question' }] }]);
  },
);

/** Deletes the rows of comments that DynamoDB may delete once their time has come. */
async function expireComments(page: OwnedPage, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const key = commentKey(page.accountId, inboxIdOf(page, 'post'), inboxIdOf(page, id));
    const row = await host.table.get(key);
    if (row?.[expiryAttribute] !== undefined) await host.table.transact([{ Delete: { Key: key } }]);
  }
}

test('comments that an event attributes to other people become the page’s own once a synchronization says so', async () => {
  const page: OwnedPage = { accountId: testIds.next(), channel: 'instagram', pageId: 'page' };
  const needs = { clock: { now: () => testTime }, table: host.table };
  const apply = (isOwn: boolean, reading = {}) => {
    const [answer, remark] = [comment('answer', 'question', isOwn), comment('remark', null, isOwn)];
    return applyComments(needs, page, 'post', [comment('question', null, false), answer, remark], reading);
  };
  const counts = async () => {
    const { found, problems } = await copiedPosts(host.table, page.accountId);
    expect(problems).toEqual([]);
    return found.map(({ post }) => [post.commentCount, post.unansweredCount]);
  };
  await apply(false);
  expect(await counts()).toEqual([[3, 2]]);
  await apply(true, { asOf: testTime });
  expect(await counts()).toEqual([[3, 0]]);
  await apply(false, { asOf: testTime });
  expect(await counts()).toEqual([[3, 0]]);
});

test('a reply of the page can be removed after the comment that it answers, however long ago that was removed', async () => {
  const page: OwnedPage = { accountId: testIds.next(), channel: 'facebook', pageId: 'page' };
  const needs = { clock: { now: () => testTime }, table: host.table };
  const question = comment('question', null, false);
  await applyComments(needs, page, 'post', [question, comment('answer', 'question', true)]);
  await removeComment(needs, page, { postId: 'post', commentId: 'question' });
  await host.table.transact([
    { Delete: { Key: commentKey(page.accountId, inboxIdOf(page, 'post'), inboxIdOf(page, 'question')) } },
  ]);
  await removeComment(needs, page, { postId: 'post', commentId: 'answer' });
  await applyComments(needs, page, 'post', [question]);
  const { found, problems } = await copiedPosts(host.table, page.accountId);
  expect(problems).toEqual([]);
  expect(found).toMatchObject([{ post: { commentCount: 1, unansweredCount: 1 } }]);
});

test('the answer to a removed comment is counted for as long as it is stored', async () => {
  const page: OwnedPage = { accountId: testIds.next(), channel: 'facebook', pageId: 'page' };
  const needs = { clock: { now: () => testTime }, table: host.table };
  const question = comment('question', null, false);
  const counts = async () => {
    const { found, problems } = await copiedPosts(host.table, page.accountId);
    expect(problems).toEqual([]);
    return found.map(({ post }) => [post.commentCount, post.unansweredCount]);
  };
  await applyComments(needs, page, 'post', [question, comment('answer', 'question', true)]);
  await removeComment(needs, page, { postId: 'post', commentId: 'question' });
  await expireComments(page, ['question', 'answer']);
  await applyComments(needs, page, 'post', [question], { asOf: testTime + 1 });
  expect(await counts()).toEqual([[2, 0]]);
  for (const commentId of ['question', 'answer']) await removeComment(needs, page, { postId: 'post', commentId });
  await expireComments(page, ['question', 'answer']);
  await applyComments(needs, page, 'post', [question]);
  expect(await counts()).toEqual([[1, 1]]);
});

test('a comment is kept if a synchronization finds that the page wrote the reply to it, but not what it replies to', async () => {
  const page: OwnedPage = { accountId: testIds.next(), channel: 'facebook', pageId: 'page' };
  const needs = { clock: { now: () => testTime }, table: host.table };
  await applyComments(needs, page, 'post', [comment('question', null, false)]);
  await applyComments(needs, page, 'post', [comment('answer', 'question', false)]);
  await applyComments(needs, page, 'post', [comment('answer', null, true)], { asOf: testTime });
  const { found, problems } = await copiedPosts(host.table, page.accountId);
  expect(problems).toEqual([]);
  expect(found).toMatchObject([{ post: { commentCount: 2, unansweredCount: 0 } }]);
  const texts = found.flatMap(({ comments }) => comments.map(({ text }) => text));
  expect(texts.toSorted()).toEqual(['text of answer', 'text of question']);
});

test.for([
  ['repeated', { hidden: true }, { what: 'hidden', at: testTime + 5 }],
  ['outdated', { hidden: false }, { what: 'hidden', at: testTime + 4 }],
  ['repeated', { text: 'edited' }, { what: 'text', at: testTime + 5 }],
  ['outdated', { text: 'another text' }, { what: 'text', at: testTime + 4 }],
] as const)('a comment event that is %s and reports %j writes nothing', async ([, state, change]) => {
  const page: OwnedPage = { accountId: testIds.next(), channel: 'facebook', pageId: 'page' };
  let writes = 0;
  const counting: Table = {
    ...host.table,
    transact(actions) {
      writes += 1;
      return host.table.transact(actions);
    },
  };
  const needs = { clock: { now: () => testTime }, table: counting };
  const question = comment('question', null, false);
  await applyComments(needs, page, 'post', [question]);
  const current = { ...question, hidden: true, text: 'edited' };
  for (const what of ['hidden', 'text'] as const)
    await applyCommentChange(needs, page, current, { what, at: testTime + 5 });
  expect(writes).toBe(3);
  await applyCommentChange(needs, page, { ...current, ...state }, change);
  expect(writes).toBe(3);
  expect((await copiedPosts(host.table, page.accountId)).found[0]?.comments).toMatchObject([
    { hidden: true, text: 'edited' },
  ]);
});

test('a comment event that repeats the current state makes earlier events count as outdated', async () => {
  const page: OwnedPage = { accountId: testIds.next(), channel: 'facebook', pageId: 'page' };
  const needs = { clock: { now: () => testTime }, table: host.table };
  const question = comment('question', null, false);
  const apply = (hidden: boolean, at: number) =>
    applyCommentChange(needs, page, { ...question, hidden }, { what: 'hidden', at: testTime + at });
  await applyComments(needs, page, 'post', [question]);
  await apply(true, 1000);
  await apply(true, 3000);
  await apply(false, 2000);
  expect((await copiedPosts(host.table, page.accountId)).found[0]?.comments).toMatchObject([{ hidden: true }]);
});
