/** An account that has rows in every list, and whether the lists still show them. */
import { expect } from 'vitest';
import type { SandboxPage } from '../../../fakes/meta/meta-records.ts';
import type { Channel } from '../../../shared/contracts/channels.ts';
import { inboxIdOf } from '../../../shared/domain/inbox-keys.ts';
import { sessionStore } from '../../../shared/domain/sessions/session-store.ts';
import { tokenStore } from '../../../shared/domain/tokens/token-store.ts';
import { connectPages } from '../../support/connected-pages.ts';
import { giveSession } from '../../support/given-session.ts';
import { type ListId, type ListScene, listContracts, listRecipes, rowsOf } from '../../support/listed-rows.ts';
import type { TestService } from '../../support/test-service.ts';

export interface PlantedAccount extends ListScene {
  readonly pages: Readonly<Record<Channel, SandboxPage>>;
  /** The ids of each list's rows before any extreme data, in their order. */
  readonly planted: ReadonlyMap<ListId, readonly string[]>;
  /** Conversations and posts that change move to the top of their lists. */
  readonly moving: ReadonlySet<string>;
}

/** A further row that a list must show. */
export type Shown = readonly [list: ListId, id: string];

const listIds = Object.keys(listRecipes) as ListId[];

/** The lists that connected pages fill. */
const ofInbox: readonly ListId[] = ['listConversations', 'listMessages', 'listCommentedPosts', 'listComments'];

const idNames = ['id', 'taskId', 'postId', 'sessionId'];

/** Rows of usage are identified by a day instead of an id. */
function idOf(row: unknown): string {
  const { day, tokenId, ...others } = Object(row) as Readonly<Record<string, string | undefined>>;
  return day ?? tokenId ?? idNames.map((name) => others[name]).find((id) => id !== undefined) ?? '';
}

const pageSize = 100;

/** Characters that would affect the text around them, or that are no valid text. */
const unsafe = /(?![\t\n\r])\p{Cc}|[\u202a-\u202e\u2066-\u2069\ufffe\uffff]|\p{Cs}/u;
const longestText = 10_000;

/** Texts of rows that no list may show. */
const unsafeIn = (value: unknown): string[] => {
  if (typeof value === 'string') return unsafe.test(value) || value.length > longestText ? [value.slice(0, 100)] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(unsafeIn) : [];
};

/** All rows of a list, page by page. */
async function idsOf(scene: ListScene, id: ListId): Promise<string[]> {
  const isPaged = 'offset' in (listContracts[id]?.query?.shape ?? {});
  const found: string[] = [];
  for (;;) {
    const query = isPaged ? `limit=${pageSize}&offset=${found.length}` : '';
    const rows = await rowsOf(scene, id, query);
    expect([id, unsafeIn(rows)]).toEqual([id, []]);
    found.push(...rows.map(idOf));
    if (!isPaged || rows.length === 0) return found;
  }
}

/** Also reads the messages of the first new conversations, and the comments on the first new posts. */
async function readNew(reader: ListScene, found: ReadonlyMap<ListId, readonly string[]>, known: ReadonlySet<string>) {
  const firstOf = (id: ListId) => (found.get(id) ?? []).filter((one) => !known.has(one)).slice(0, 2);
  const inbox = { conversationId: '', postId: '', ...reader.inbox };
  const conversations = firstOf('listConversations').map((conversationId) => ({ ...inbox, conversationId }));
  const posts = firstOf('listCommentedPosts').map((postId) => ({ ...inbox, postId }));
  await Promise.all(conversations.map((one) => idsOf({ ...reader, inbox: one }, 'listMessages')));
  await Promise.all(posts.map((one) => idsOf({ ...reader, inbox: one }, 'listComments')));
}

/** Uses a separate token and session, which are left out of the lists, so that no rate limit is reached. */
async function allIds(scene: ListScene, known?: ReadonlySet<string>): Promise<Map<ListId, string[]>> {
  const { context } = scene.host.service;
  const { accountId } = scene.account;
  const [token, given] = await Promise.all([scene.host.token(accountId), giveSession(context, accountId)]);
  const reader = { ...scene, account: { ...scene.account, ...token }, cookie: given.cookie };
  const own = new Set([token.tokenId, given.session.sessionId]);
  const isOthers = (id: string): boolean => !own.has(id);
  const all = await Promise.all(listIds.map(async (id) => [id, (await idsOf(reader, id)).filter(isOthers)] as const));
  const found = new Map(all);
  if (known) await readNew(reader, found, known);
  await tokenStore(context.table).revoke(accountId, token.tokenId, context.clock.now());
  await sessionStore(context.table).end(accountId, given.session.sessionId, context.clock.now());
  return found;
}

export async function plantAccount(host: TestService): Promise<PlantedAccount> {
  const { context, social } = host.service;
  const account = await host.account({ planId: 'business' });
  const { cookie } = await giveSession(context, account.accountId);
  const { pages } = await connectPages(host, account.accountId);
  const byChannel = Object.fromEntries(pages.map((page) => [page.channel, page])) as Record<Channel, SandboxPage>;
  const { facebook } = byChannel;
  const [person, post] = [social.world.people(facebook)[0], social.world.posts(facebook)[0]];
  if (!person || !post) throw new Error('the shop is incomplete');
  const of = { channel: 'facebook', pageId: facebook.id } as const;
  const inbox = { conversationId: inboxIdOf(of, person.id), postId: inboxIdOf(of, post.id) };
  const scene: ListScene = { host, account, cookie, inbox };
  for (const id of listIds) if (!ofInbox.includes(id) && id !== 'getUsage') await listRecipes[id].give(scene);
  const planted = await allIds(scene);
  for (const [id, ids] of planted) expect([id, ids.length > 0]).toEqual([id, true]);
  return { ...scene, pages: byChannel, planted, moving: new Set(Object.values(inbox)) };
}

/** Fails unless every list can be read and shows the planted rows in their order, as well as the further rows. */
export async function expectLists(account: PlantedAccount, shown: readonly Shown[]): Promise<void> {
  const all = await allIds(account, new Set([...account.planted.values()].flat()));
  for (const [id, planted] of account.planted) {
    const found = all.get(id) ?? [];
    const [quiet, wanted] = [planted.filter((one) => !account.moving.has(one)), new Set(planted)];
    expect([id, found.filter((one) => wanted.has(one) && !account.moving.has(one))]).toEqual([id, quiet]);
    const others = [...planted, ...shown.flatMap(([list, one]) => (list === id ? [one] : []))];
    expect([id, others.filter((one) => !found.includes(one))]).toEqual([id, []]);
  }
}
