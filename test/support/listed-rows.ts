/** Rows of every list of an account: how they are created, and what the lists show. */
import { expect } from 'vitest';
import { type DashboardRegistry, dashboardContracts } from '../../shared/contracts/dashboard.ts';
import type { RequestContract } from '../../shared/contracts/operation.ts';
import { type OperationId, type Registry, registry } from '../../shared/contracts/registry.ts';
import { commentKey, conversationKey, messageKey, postKey } from '../../shared/domain/inbox-keys.ts';
import { ledgerKey, orderKey, productKey, sessionKey, taskKey, tokenKey } from '../../shared/domain/keys.ts';
import { applyComments } from '../../shared/domain/piloto/comments/apply-comments.ts';
import { applyMessages } from '../../shared/domain/piloto/conversations/apply-messages.ts';
import { insertProduct } from '../../shared/domain/studio/product-store.ts';
import { tokenDigest } from '../../shared/domain/tokens/token.ts';
import type { Item, Key } from '../../shared/platform/dynamo-table.ts';
import { type GivenInbox, giveInbox } from './given-inbox.ts';
import { giveOrder } from './given-order.ts';
import { callAsPage, giveSession } from './given-session.ts';
import type { TestAccount, TestService } from './test-service.ts';

type ListsOf<Operations> = {
  [Id in keyof Operations]: Operations[Id] extends { readonly success: { readonly rows: string } } ? Id : never;
}[keyof Operations];
/** A new list does not compile until it is added here. */
export type ListId = ListsOf<Registry> | ListsOf<DashboardRegistry>;

export const listContracts = { ...registry, ...dashboardContracts } as Readonly<Record<string, RequestContract>>;

/** An account with a session of its owner; the inbox is that of its Facebook page, once it has one. */
export interface ListScene {
  readonly host: TestService;
  readonly account: TestAccount;
  readonly cookie: string;
  inbox?: Pick<GivenInbox, 'conversationId' | 'postId'> & Partial<GivenInbox>;
}

interface ListRecipe {
  /** Creates some rows for the account, and returns the key of one of them. */
  readonly give: (scene: ListScene) => Promise<Key>;
  /** Changes that make the row invalid, and changes that leave it valid but impossible to present. */
  readonly damages: readonly Item[];
  readonly params?: (scene: ListScene) => Readonly<Record<string, string>>;
  /** Whether the damaged row comes in addition to the rows that the list shows. */
  readonly isAdded?: true;
}

/** Invalid times: not a number, after the last day of calendars, and in a year of five digits. */
const times = (name: string): Item[] => [{ [name]: 'soon' }, { [name]: 9e15 }, { [name]: 253_402_300_800_000 }];

export async function facebookInbox(scene: ListScene): Promise<GivenInbox> {
  const inbox = await giveInbox(scene.host, scene.account.accountId, 'facebook');
  scene.inbox = inbox;
  return inbox;
}

async function inboxes(scene: ListScene): Promise<GivenInbox> {
  await giveInbox(scene.host, scene.account.accountId, 'instagram');
  return facebookInbox(scene);
}

async function endedWithWebhook({ host, account: { token } }: ListScene): Promise<string> {
  const taskId = await host.speak(token, { text: 'Oi.', voice: 'bill', callbackUrl: host.receiver.url });
  await host.call('cancelTask', { token, params: { taskId } });
  return taskId;
}

export async function giveProduct({ host, account: { accountId } }: ListScene): Promise<string> {
  const { clock, ids, table } = host.service.context;
  const productId = ids.next();
  const images = [{ url: 'https://images.example/1.png' }];
  const given = { accountId, productId, title: 'Óculos', description: 'De sol', images, createdAt: clock.now() };
  await table.transact(insertProduct(given));
  return productId;
}

export const listRecipes: Readonly<Record<ListId, ListRecipe>> = {
  listTasks: {
    async give({ host, account: { token } }) {
      await host.speak(token);
      return taskKey(await host.speak(token));
    },
    damages: [...times('createdAt'), { progress: 1e9 }],
  },
  listOrders: {
    async give({ host, account: { accountId } }) {
      await giveOrder(host.service.context, accountId);
      return orderKey(await giveOrder(host.service.context, accountId));
    },
    damages: [...times('createdAt'), { cents: 'free' }],
  },
  listCreditHistory: {
    async give({ host, account: { accountId, token } }) {
      await host.speak(token);
      const [row] = await host.service.context.ledger.list(accountId, { limit: 1, offset: 0 });
      return ledgerKey(accountId, row?.id ?? '');
    },
    damages: [...times('at'), { reason: 'theft' }],
  },
  listConversations: {
    give: async (scene) => conversationKey(scene.account.accountId, (await inboxes(scene)).conversationId),
    damages: [...times('updatedAt'), { participant: { id: 5 } }],
  },
  listMessages: {
    async give(scene) {
      const { context } = scene.host.service;
      const { accountId } = scene.account;
      const { connection, participantId, conversationId, messageId } = await facebookInbox(scene);
      const message = {
        id: 'm-2',
        direction: 'inbound',
        text: 'E hoje?',
        attachments: [],
        status: 'delivered',
        createdAt: context.clock.now(),
      } as const;
      const page = { accountId, channel: 'facebook', pageId: connection.pageId } as const;
      await applyMessages(context, page, { id: participantId }, [message]);
      return messageKey(accountId, conversationId, messageId);
    },
    damages: [...times('createdAt'), { status: 'lost' }],
    params: ({ inbox }) => ({ conversationId: inbox?.conversationId ?? '' }),
  },
  listCommentedPosts: {
    give: async (scene) => postKey(scene.account.accountId, (await inboxes(scene)).postId),
    damages: [...times('lastCommentAt'), { details: { caption: 5 } }],
  },
  listComments: {
    async give(scene) {
      const { context } = scene.host.service;
      const { accountId } = scene.account;
      const { connection, postNetworkId: postId, commentId, postId: ownId } = await facebookInbox(scene);
      const comment = { id: 'c-2', postId, parentId: null, author: { id: '5', username: 'ana' }, isOwn: false };
      const state = { text: 'Quero!', hidden: false, liked: false, likeCount: 0, createdAt: context.clock.now() };
      const page = { accountId, channel: 'facebook', pageId: connection.pageId } as const;
      await applyComments(context, page, postId, [{ ...comment, ...state }]);
      return commentKey(accountId, ownId, commentId);
    },
    damages: [{ comment: { text: 5 } }, { ownReplies: -1 }],
    params: ({ inbox }) => ({ postId: inbox?.postId ?? '' }),
  },
  listStudioProducts: {
    async give(scene) {
      await giveProduct(scene);
      return productKey(scene.account.accountId, await giveProduct(scene));
    },
    damages: [...times('createdAt'), { images: [] }, { images: [{ url: 'nowhere' }] }],
  },
  getUsage: {
    async give({ host, account: { accountId, token } }) {
      await host.speak(token);
      const { ids, table, clock } = host.service.context;
      const key = ledgerKey(accountId, ids.next());
      await table.put({ Item: { ...key, amount: -1, reason: 'generation', at: clock.now(), taskType: 'dance' } });
      return key;
    },
    damages: [{ taskType: 'walk' }, { reason: 'theft' }],
    isAdded: true,
  },
  listDeliveries: {
    async give(scene) {
      await endedWithWebhook(scene);
      return taskKey(await endedWithWebhook(scene));
    },
    damages: [...times('endedAt')],
  },
  listSessions: {
    give: async ({ host, account: { accountId } }) =>
      sessionKey((await giveSession(host.service.context, accountId)).digest),
    damages: [...times('createdAt'), { kind: 'guess' }],
  },
  listTokens: {
    give: async ({ host, account: { accountId } }) => tokenKey(tokenDigest((await host.token(accountId)).token)),
    damages: [{ exp: 'soon' }, { exp: 9e15 - 1 }, { scopes: 5 }],
  },
};

export async function pageOf(
  scene: ListScene,
  id: ListId,
  query = '',
): Promise<{ readonly rows: readonly unknown[]; readonly offset: unknown }> {
  const { host, account, cookie } = scene;
  const params = listRecipes[id].params?.(scene) ?? {};
  const name = listContracts[id]?.success.rows ?? '';
  const response =
    id in dashboardContracts
      ? await callAsPage(host.url, id, { cookie, params, query })
      : await host.call(id as OperationId, { token: account.token, params, query });
  expect([id, response.status, response.body.error]).toEqual([id, 200, undefined]);
  const { [name]: rows = [], offset } = response.body.data as Record<string, readonly unknown[]>;
  return { rows, offset };
}

export const rowsOf = async (scene: ListScene, id: ListId, query?: string): Promise<readonly unknown[]> =>
  (await pageOf(scene, id, query)).rows;
