/** The sequential round trips of the inbox's lists, which do not depend on the length of conversations and posts. */
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { OperationId } from '../../shared/contracts/registry.ts';
import { postStore, savePostChange } from '../../shared/domain/piloto/comments/post-store.ts';
import { conversationStore, insertMessage } from '../../shared/domain/piloto/conversations/conversation-store.ts';
import type { Item } from '../../shared/platform/dynamo-table.ts';
import { batchWrite } from '../support/batch-write.ts';
import { giveInbox } from '../support/given-inbox.ts';
import type { TestResponse } from '../support/test-service.ts';
import { countedService } from '../support/trips.ts';

const numbered = (kind: string, index: number) => `${kind}${String(index).padStart(22 - kind.length, '0')}`;

/** Only the oldest and the newest messages of a long history are read. */
const isRead = (index: number, length: number) => index < 200 || index >= length - 200;

async function messageItems(length: number): Promise<Item[]> {
  const { accountId } = account;
  const { table } = host.service.context;
  const store = conversationStore(table);
  const conversation = await store.find(accountId, inbox.conversationId);
  const [known] = await store.messages(accountId, inbox.conversationId, [inbox.messageId]);
  if (!conversation || !known) throw new Error('the inbox is empty');
  return Array.from({ length }, (_, index) => {
    const message = { ...known, messageId: numbered('m', index), createdAt: known.createdAt - index - 1 };
    const [whole, place] = insertMessage(conversation, message).map(({ Put }) => Put?.Item ?? {});
    return [...(isRead(index, length) && whole ? [whole] : []), ...(place ? [place] : [])];
  }).flat();
}

async function commentItems(length: number): Promise<Item[]> {
  const { accountId } = account;
  const { post, rows } = await postStore(host.service.context.table).read(accountId, inbox.postId, [inbox.commentId]);
  const known = rows.get(inbox.commentId)?.comment;
  if (!post || !known) throw new Error('the post has no comment');
  return Array.from({ length }, (_, index) => {
    const comment = { ...known, commentId: numbered('c', index), createdAt: known.createdAt - index - 1 };
    const row = { commentId: comment.commentId, ownReplies: 0, comment };
    const change = { post, rows: new Map([[comment.commentId, row]]) };
    const [, whole, place] = savePostChange({ post, rows: new Map() }, change).map(({ Put }) => Put?.Item ?? {});
    return [...(isRead(index, length) && whole ? [whole] : []), ...(place ? [place] : [])];
  }).flat();
}

const host = await countedService();
const account = await host.account({ planId: 'business' });
const inbox = await giveInbox(host, account.accountId);
afterAll(() => host.close());
beforeEach(() => host.call('listPlans'));

/** The rounds of trips of a list, and the ids of the listed rows. */
async function listed(operationId: OperationId, query = '') {
  let data: TestResponse['body']['data'];
  const { token } = account;
  const { conversationId, postId } = inbox;
  const rounds = await host.rounds(async () => {
    const response = await host.call(operationId, { token, query, params: { conversationId, postId } });
    expect(response.status).toBe(200);
    ({ data } = response.body);
  });
  const { messages, comments } = data as Partial<Record<'messages' | 'comments', { id: string }[]>>;
  return { rounds, ids: (messages ?? comments ?? []).map(({ id }) => id) };
}

const token = 'UpdateItem';

test('listing conversations or posts takes two database round trips after the token is read, whatever the filter', async () => {
  const rounds = [token, 'GetItem + Query + Query', 'BatchGetItem'];
  expect((await listed('listConversations')).rounds).toEqual(rounds);
  expect((await listed('listConversations', 'unread=true')).rounds).toEqual(rounds);
  expect((await listed('listCommentedPosts')).rounds).toEqual(rounds);
});

const short = [token, 'GetItem + GetItem + Query + Query', 'BatchGetItem'];

test.for([
  ['listMessages', 10_000, 'm', messageItems, () => inbox.messageId],
  ['listComments', 1000, 'c', commentItems, () => inbox.commentId],
] as const)(
  '%s reads any page of %i entries in as few database round trips as the first one',
  async ([list, length, kind, items, newest]) => {
    expect(await listed(list)).toEqual({ rounds: short, ids: [newest()] });
    const { context, environment } = host.service;
    await batchWrite(environment.AWS_ENDPOINT_URL_DYNAMODB ?? '', context.settings.tableName, await items(length));
    const all = [newest(), ...Array.from({ length }, (_, index) => numbered(kind, index))];
    for (const offset of [0, 100, length - 100, length]) {
      const page = await listed(list, `limit=100&offset=${offset}`);
      expect(page.ids).toEqual(all.slice(offset, offset + 100));
      // A query reads at most a megabyte, which contains thousands of positions.
      expect(page.rounds.filter((round) => round === 'Query').length).toBeLessThanOrEqual(2);
      expect(page.rounds.filter((round) => round !== 'Query')).toEqual(short);
    }
  },
);
