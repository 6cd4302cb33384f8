/** Every public list is read completely with `after`, whatever is created between two of its pages. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { OperationId } from '../../shared/contracts/registry.ts';
import { registry } from '../../shared/contracts/registry.ts';
import { appendLedgerRow } from '../../shared/domain/accounts/ledger-store.ts';
import { applyComments, applyPost, removeComment } from '../../shared/domain/piloto/comments/apply-comments.ts';
import { applyMessages, removeMessage } from '../../shared/domain/piloto/conversations/apply-messages.ts';
import { stores } from '../../shared/domain/stores.ts';
import { insertTask } from '../../shared/domain/tasks/task-item.ts';
import type { Table } from '../../shared/platform/dynamo-table.ts';
import { eventually } from '../support/eventually.ts';
import { giveOrder } from '../support/given-order.ts';
import {
  facebookInbox,
  giveProduct,
  type ListScene,
  listContracts,
  type listRecipes,
  pageOf,
  rowsOf,
} from '../support/listed-rows.ts';
import { serviceInTests } from '../support/test-service.ts';
import { aTask, testTime } from '../support/test-table.ts';

type Continued = Extract<keyof typeof listRecipes, keyof typeof registry> & Exclude<OperationId, 'getUsage'>;
/** Creates one row, written at a time that decides its place in lists of the inbox; other lists sort by creation. */
type Add = (scene: ListScene, number: number, at: number) => Promise<unknown>;

const pageIn = ({ account: { accountId }, inbox }: ListScene) =>
  ({ accountId, channel: 'facebook', pageId: inbox?.connection?.pageId ?? '' }) as const;

const message = (number: number, createdAt: number) =>
  ({ id: `m-${number}`, direction: 'inbound', text: 'Oi', attachments: [], status: 'delivered', createdAt }) as const;

const comment = (postId: string, number: number, createdAt: number) => ({
  id: `c-${number}`,
  postId,
  parentId: null,
  author: { id: '5', username: 'ana' },
  isOwn: false,
  text: 'Quero!',
  hidden: false,
  liked: false,
  likeCount: 0,
  createdAt,
});

const adds: Readonly<Record<Continued, Add>> = {
  listTasks: ({ host, account: { accountId } }) =>
    host.service.context.table.transact([
      insertTask(aTask({ accountId, taskId: host.service.context.ids.next() }), testTime),
    ]),
  listOrders: ({ host, account: { accountId } }) => giveOrder(host.service.context, accountId, { status: 'expired' }),
  listCreditHistory: ({ host, account: { accountId } }, _, at) =>
    host.service.context.table.transact([
      appendLedgerRow({ id: host.service.context.ids.next(), accountId, amount: 1, reason: 'bonus', at }),
    ]),
  listStudioProducts: giveProduct,
  listConversations: (scene, number, at) =>
    applyMessages(scene.host.service.context, pageIn(scene), { id: `p-${number}` }, [message(number, at)]),
  listMessages: (scene, number, at) =>
    applyMessages(scene.host.service.context, pageIn(scene), { id: scene.inbox?.participantId ?? '' }, [
      message(number, at),
    ]),
  async listCommentedPosts(scene, number, at) {
    const { context } = scene.host.service;
    const id = `post-${number}`;
    const post = { id, caption: null, thumbnailUrl: null, permalink: `https://www.facebook.com/${id}`, createdAt: at };
    await applyPost(context, pageIn(scene), post);
    await applyComments(context, pageIn(scene), id, [comment(id, number, at)]);
  },
  listComments: (scene, number, at) => {
    const postId = scene.inbox?.postNetworkId ?? '';
    return applyComments(scene.host.service.context, pageIn(scene), postId, [comment(postId, number, at)]);
  },
};

const lists = Object.keys(adds) as Continued[];
const inboxLists = lists.filter((id) => registry[id].path.includes('/piloto/'));

const host = await serviceInTests();
const { context } = host.service;
const longestReads: number[] = [];
const table: Table = {
  ...context.table,
  list: (input, range) => {
    longestReads.push(range.limit + range.offset);
    return context.table.list(input, range);
  },
};
host.service.bind({ ...context, ...stores(table, context.clock, context.settings), table });

async function sceneOf(id: Continued): Promise<ListScene> {
  const scene: ListScene = { host, account: await host.account({ planId: 'business' }), cookie: '' };
  if (inboxLists.includes(id)) await facebookInbox(scene);
  return scene;
}

const idOf = (row: unknown): string => {
  const { id, postId } = row as { readonly id?: string; readonly postId?: string };
  return id ?? postId ?? '';
};
const idsOf = async (scene: ListScene, id: Continued, query?: string) => (await rowsOf(scene, id, query)).map(idOf);

const rejectionOf = async ({ account: { token }, inbox }: ListScene, id: Continued, after: string) => {
  const params = { conversationId: inbox?.conversationId ?? '', postId: inbox?.postId ?? '' };
  const { status, body } = await host.call(id, { token, params, query: `after=${after}` });
  return [status, body.error?.message];
};

test('every list of the public API that can be paged can be continued after its last row', () => {
  const paged = Object.keys(registry).filter((id) => 'offset' in (listContracts[id]?.query?.shape ?? {}));
  expect(paged.toSorted()).toEqual(lists.toSorted());
  expect(paged.filter((id) => !('after' in (listContracts[id]?.query?.shape ?? {})))).toEqual([]);
});

const place = fc.integer({ min: 0, max: 50 });
const plan = fc.record({
  before: fc.array(place, { maxLength: 6 }),
  /** The rows that are created before each page. */
  between: fc.array(fc.array(place, { maxLength: 2 }), { maxLength: 4 }),
  limit: fc.integer({ min: 1, max: 3 }),
});

test.for(lists)('%s with `after` neither skips nor repeats a row, even if rows are created between its pages', (id) =>
  fc.assert(
    fc.asyncProperty(plan, async ({ before, between, limit }) => {
      const scene = await sceneOf(id);
      const start = context.clock.now();
      let number = 0;
      const add = (at: number) => adds[id](scene, ++number, start + (at - 25) * 1000);
      const first = (await idsOf(scene, id)).length;
      for (const at of before) await add(at);
      const all = await eventually('all rows', async () => {
        const ids = await idsOf(scene, id);
        return ids.length === first + before.length ? ids : undefined;
      });
      longestReads.length = 0;
      const read: string[] = [];
      for (let page = 0; ; page += 1) {
        for (const at of between[page] ?? []) await add(at);
        const after = read.length > 0 ? `&after=${read.at(-1)}` : '';
        const ids = await idsOf(scene, id, `limit=${limit}${after}`);
        if (ids.length === 0) break;
        read.push(...ids);
      }
      expect(read).toEqual([...new Set(read)]);
      expect(read.filter((one) => all.includes(one))).toEqual(all);
      expect(Math.max(...longestReads)).toBe(limit);
    }),
    { numRuns: 5 },
  ),
);

test.for(lists)('%s with `after` and `offset` counts the offset from the row after which it continues', async (id) => {
  const scene = await sceneOf(id);
  for (const number of [1, 2, 3]) await adds[id](scene, number, context.clock.now() + number);
  const all = await eventually('all rows', async () => {
    const ids = await idsOf(scene, id);
    return ids.length >= 3 ? ids : undefined;
  });
  expect(await idsOf(scene, id, `after=${all[0]}&offset=1`)).toEqual(all.slice(2));
});

test.for(inboxLists)('%s rejects an `after` id that is unknown or belongs to another account', async (id) => {
  const [scene, other] = [await sceneOf(id), await sceneOf(id)];
  const [foreign = ''] = await idsOf(other, id);
  for (const after of [foreign, 'A'.repeat(22)]) {
    const [status, text] = await rejectionOf(scene, id, after);
    expect([status, text]).toEqual([400, expect.stringMatching(/^after must be the id of an? /)]);
  }
});

test('a list of messages or comments can be continued after one that has been removed in the meantime', async () => {
  const scene = await sceneOf('listMessages');
  const { participantId = '', postNetworkId = '' } = scene.inbox ?? {};
  const start = context.clock.now();
  for (const id of ['listMessages', 'listComments'] as const) await adds[id](scene, 1, start + 1000);
  const [messages, comments] = [await idsOf(scene, 'listMessages'), await idsOf(scene, 'listComments')];
  await removeMessage(context, pageIn(scene), { participantId, messageId: 'm-1' });
  await removeComment(context, pageIn(scene), { postId: postNetworkId, commentId: 'c-1' });
  expect(await idsOf(scene, 'listMessages', `after=${messages[0]}`)).toEqual(messages.slice(1));
  expect(await idsOf(scene, 'listComments', `after=${comments[0]}`)).toEqual(comments.slice(1));
});

test('a list that continues after a conversation that has moved up starts at its new place and skips nothing', async () => {
  const scene = await sceneOf('listConversations');
  const start = context.clock.now();
  for (const number of [1, 2, 3]) await adds.listConversations(scene, number, start + number * 1000);
  const [newest, next, ...rest] = await eventually('all rows', async () => {
    const ids = await idsOf(scene, 'listConversations');
    return ids.length === 4 ? ids : undefined;
  });
  await applyMessages(context, pageIn(scene), { id: 'p-2' }, [message(9, start + 9000)]);
  await eventually('the new place', async () => (await idsOf(scene, 'listConversations'))[0] === next || undefined);
  expect(await idsOf(scene, 'listConversations', `after=${next}`)).toEqual([newest, ...rest]);
  expect((await pageOf(scene, 'listConversations', `after=${next}&unread=true`)).rows.map(idOf)).toEqual([
    newest,
    ...rest,
  ]);
});
