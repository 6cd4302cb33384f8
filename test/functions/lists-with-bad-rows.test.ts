/** A row that cannot be read or shown costs itself: every list leaves it out, reports it and shows the others. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type DashboardRegistry, dashboardContracts } from '../../shared/contracts/dashboard.ts';
import type { RequestContract } from '../../shared/contracts/operation.ts';
import { type OperationId, type Registry, registry } from '../../shared/contracts/registry.ts';
import { commentKey, conversationKey, inboxIdOf, messageKey, postKey } from '../../shared/domain/inbox-keys.ts';
import { ledgerKey, orderKey, productKey, sessionKey, taskKey, tokenKey } from '../../shared/domain/keys.ts';
import { applyComments } from '../../shared/domain/piloto/apply-comments.ts';
import { applyMessages } from '../../shared/domain/piloto/apply-messages.ts';
import { stores } from '../../shared/domain/stores.ts';
import { insertProduct } from '../../shared/domain/studio/product-store.ts';
import { tokenDigest } from '../../shared/domain/tokens/token.ts';
import type { Item, Key, LeftOutRow } from '../../shared/platform/dynamo-table.ts';
import { eventually } from '../support/eventually.ts';
import { type GivenInbox, giveInbox } from '../support/given-inbox.ts';
import { giveOrder } from '../support/given-order.ts';
import { callAsPage, giveSession } from '../support/given-session.ts';
import { type TestAccount, type TestService, testService } from '../support/test-service.ts';

type ListsOf<Operations> = {
  [Id in keyof Operations]: Operations[Id] extends { readonly success: { readonly rows: string } } ? Id : never;
}[keyof Operations];
/** A new list does not compile until it is added here. */
type ListId = ListsOf<Registry> | ListsOf<DashboardRegistry>;

const contracts = { ...registry, ...dashboardContracts } as Readonly<Record<string, RequestContract>>;

let host: TestService;
let account: TestAccount;
let cookie: string;
let inbox: GivenInbox;
let leftOut: LeftOutRow[];

beforeAll(async () => {
  host = await testService();
});
afterAll(() => host.close());
beforeEach(async () => {
  leftOut = [];
  const { context } = host.service;
  const table = { ...context.table, leftOut: (row: LeftOutRow) => void leftOut.push(row) };
  host.service.bind({ ...context, ...stores(table, context.clock, context.settings), table });
  host.engine.play({});
  account = await host.account({ planId: 'business' });
  ({ cookie } = await giveSession(context, account.accountId));
});

const givenInbox = async () => {
  inbox = await giveInbox(host, account.accountId, 'facebook');
  return inbox;
};
const page = () => ({ accountId: account.accountId, channel: 'facebook', pageId: inbox.connection.pageId }) as const;

async function endedWithWebhook(): Promise<string> {
  const taskId = await host.speak(account.token, { text: 'Oi.', voice: 'bill', callbackUrl: host.receiver.url });
  await host.call('cancelTask', { token: account.token, params: { taskId } });
  return taskId;
}

const write = (key: Key, attributes: Item) =>
  host.service.context.table.update({
    Key: key,
    UpdateExpression: `SET ${Object.keys(attributes)
      .map((_, at) => `#a${at} = :a${at}`)
      .join(', ')}`,
    ExpressionAttributeNames: Object.fromEntries(Object.keys(attributes).map((name, at) => [`#a${at}`, name])),
    ExpressionAttributeValues: Object.fromEntries(Object.values(attributes).map((value, at) => [`:a${at}`, value])),
  });

const product = () => {
  const { context } = host.service;
  const [accountId, productId] = [account.accountId, context.ids.next()];
  const images = [{ url: 'https://images.example/1.png' }];
  const given = {
    accountId,
    productId,
    title: 'Óculos',
    description: 'De sol',
    images,
    createdAt: context.clock.now(),
  };
  return context.table.transact(insertProduct(given)).then(() => productId);
};

interface Recipe {
  /** Gives the account some rows, and says where one of them is stored. */
  readonly give: () => Promise<Key>;
  /** What makes it unreadable, and what can be read of it and not be shown. */
  readonly damages: readonly Item[];
  readonly params?: () => Readonly<Record<string, string>>;
  /** Where the damaged row is one more than those that are shown. */
  readonly isAdded?: true;
}

/** Not a time, after the last day of calendars, and in a year of five digits. */
const times = (name: string): Item[] => [{ [name]: 'soon' }, { [name]: 9e15 }, { [name]: 253_402_300_800_000 }];

const recipes: Readonly<Record<ListId, Recipe>> = {
  listTasks: {
    give: async () => {
      await host.speak(account.token);
      return taskKey(await host.speak(account.token));
    },
    damages: [...times('createdAt'), { progress: 1e9 }],
  },
  listOrders: {
    give: async () => {
      await giveOrder(host.service.context, account.accountId);
      return orderKey(await giveOrder(host.service.context, account.accountId));
    },
    damages: [...times('createdAt'), { cents: 'free' }],
  },
  listCreditHistory: {
    give: async () => {
      await host.speak(account.token);
      const [row] = await host.service.context.ledger.list(account.accountId, { limit: 1, offset: 0 });
      return ledgerKey(account.accountId, row?.id ?? '');
    },
    damages: [...times('at'), { reason: 'theft' }],
  },
  listConversations: {
    give: async () => {
      await giveInbox(host, account.accountId, 'instagram');
      return conversationKey(account.accountId, (await givenInbox()).conversationId);
    },
    damages: [...times('updatedAt'), { participant: { id: 5 } }],
  },
  listMessages: {
    give: async () => {
      const { participantId, conversationId, messageId } = await givenInbox();
      const message = {
        id: 'm-2',
        direction: 'inbound',
        text: 'E hoje?',
        attachments: [],
        status: 'delivered',
      } as const;
      const createdAt = host.clock.now();
      await applyMessages(host.service.context, page(), { id: participantId }, [{ ...message, createdAt }]);
      return messageKey(account.accountId, conversationId, messageId);
    },
    damages: [...times('createdAt'), { status: 'lost' }],
    params: () => ({ conversationId: inbox.conversationId }),
  },
  listCommentedPosts: {
    give: async () => {
      await giveInbox(host, account.accountId, 'instagram');
      return postKey(account.accountId, (await givenInbox()).postId);
    },
    damages: [...times('lastCommentAt'), { details: { caption: 5 } }],
  },
  listComments: {
    give: async () => {
      const { postNetworkId: postId, commentId, postId: ownId } = await givenInbox();
      const comment = { id: 'c-2', postId, parentId: null, author: { id: '5', username: 'ana' }, isOwn: false };
      const state = { text: 'Quero!', hidden: false, liked: false, likeCount: 0, createdAt: host.clock.now() };
      await applyComments(host.service.context, page(), postId, [{ ...comment, ...state }]);
      expect(inboxIdOf(page(), postId)).toBe(ownId);
      return commentKey(account.accountId, ownId, commentId);
    },
    damages: [{ comment: { text: 5 } }, { ownReplies: -1 }],
    params: () => ({ postId: inbox.postId }),
  },
  listStudioProducts: {
    give: async () => {
      await product();
      return productKey(account.accountId, await product());
    },
    damages: [...times('createdAt'), { images: [] }, { images: [{ url: 'nowhere' }] }],
  },
  getUsage: {
    give: async () => {
      await host.speak(account.token);
      const { ids, table, clock } = host.service.context;
      const key = ledgerKey(account.accountId, ids.next());
      await table.put({ Item: { ...key, amount: -1, reason: 'generation', at: clock.now(), taskType: 'dance' } });
      return key;
    },
    damages: [{ taskType: 'walk' }, { reason: 'theft' }],
    isAdded: true,
  },
  listDeliveries: {
    give: async () => {
      await endedWithWebhook();
      return taskKey(await endedWithWebhook());
    },
    damages: [...times('endedAt')],
  },
  listSessions: {
    give: async () => sessionKey((await giveSession(host.service.context, account.accountId)).digest),
    damages: [...times('createdAt'), { kind: 'guess' }],
  },
  listTokens: {
    give: async () => tokenKey(tokenDigest((await host.token(account.accountId)).token)),
    damages: [{ exp: 'soon' }, { exp: 9e15 - 1 }, { scopes: 5 }],
  },
};

async function rowsOf(id: ListId): Promise<readonly unknown[]> {
  const params = recipes[id].params?.() ?? {};
  const name = contracts[id]?.success.rows ?? '';
  const response =
    id in dashboardContracts
      ? await callAsPage(host.url, id, { cookie, params })
      : await host.call(id as OperationId, { token: account.token, params });
  expect([response.status, response.body.error]).toEqual([200, undefined]);
  return (response.body.data as Record<string, readonly unknown[]>)[name] ?? [];
}

const cases = Object.entries(recipes).flatMap(([id, { damages }]) =>
  damages.map((damage) => [id as ListId, damage] as const),
);

test.for(cases)('%s lists all rows except a damaged one that has %j', async ([id, damage]) => {
  const { give, isAdded } = recipes[id];
  const key = await give();
  const before = isAdded
    ? 2
    : await eventually('both rows', async () =>
        (await rowsOf(id)).length >= 2 ? (await rowsOf(id)).length : undefined,
      );
  leftOut.length = 0;
  await write(key, damage);
  expect((await rowsOf(id)).length).toBe(before - 1);
  expect(leftOut.length).toBeGreaterThan(0);
});

test('every operation that lists rows declares which field of its response contains them', () => {
  /** What they list is not stored by row: the catalog, keys, and one entry for each network. */
  const others = ['listPlans', 'listConnections', 'listVoices'];
  const undeclared = Object.values(contracts)
    .filter(({ operationId, success }) => operationId.startsWith('list') && success.rows === undefined)
    .map(({ operationId }) => operationId);
  expect(undeclared.filter((id) => !others.includes(id))).toEqual([]);
});
