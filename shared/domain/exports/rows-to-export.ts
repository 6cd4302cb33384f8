/** Finds the rows of an account that its export contains: one finder for each kind that is exported. */
import type { Item, Key, Table } from '../../platform/dynamo-table.ts';
import { keyOf } from '../delete-rows.ts';
import {
  commentIdIn,
  commentKey,
  connectionKey,
  conversationsOwner,
  inboxIdIn,
  messageIdIn,
  messageKey,
  postsOwner,
  unlistedPostsOwner,
} from '../inbox-keys.ts';
import {
  avatarsOwner,
  filesOwner,
  identitiesOwner,
  indexes,
  ordersOwner,
  sessionsOwner,
  tasksOwner,
  tokensOwner,
} from '../index-keys.ts';
import {
  accountIdOf,
  accountKey,
  influencerKey,
  invoiceKey,
  ledgerKey,
  listedProductKey,
  orderIdOf,
  ownIdOf,
  productKey,
  subscriptionKey,
  taskIdOf,
} from '../keys.ts';
import { walkOwned } from '../walk-index.ts';
import type { ExportedKind } from './export-rules.ts';

interface Finder {
  /** The rows, in a fixed order. */
  readonly rows: (table: Table, accountId: string) => AsyncGenerator<Item>;
  /** The ids of a row, which are parts of its key. */
  readonly ids: (row: Item) => Readonly<Record<string, string>>;
}

/** How many rows are read and held at once. */
const pageLength = 100;

async function* inPages<Value>(values: AsyncIterable<Value>): AsyncGenerator<Value[]> {
  let page: Value[] = [];
  for await (const value of values) {
    page.push(value);
    if (page.length < pageLength) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

/** Reads rows by keys, in the order of the keys, without holding more than a page. */
async function* byKeys(table: Table, keys: AsyncIterable<Key>): AsyncGenerator<Item> {
  const nameOf = ({ pk, sk }: Key): string => `${pk} ${sk}`;
  for await (const page of inPages(keys)) {
    const found = new Map((await table.getMany(page)).map((row) => [nameOf(keyOf(row)), row]));
    for (const key of page) {
      const row = found.get(nameOf(key));
      if (row) yield row;
    }
  }
}

async function* ownedKeys(table: Table, owner: string): AsyncGenerator<Key> {
  for await (const key of walkOwned(table, owner)) yield keyOf(key);
}

const owned = (ownerOf: (accountId: string) => string) => (table: Table, accountId: string) =>
  byKeys(table, ownedKeys(table, ownerOf(accountId)));

const partition = (table: Table, pk: string, prefix = ''): AsyncGenerator<Item> =>
  table.walk({
    KeyConditionExpression: prefix === '' ? 'pk = :pk' : 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': pk, ...(prefix !== '' && { ':prefix': prefix }) },
    ConsistentRead: true,
  });

const within = (keyFor: (accountId: string) => Key) => (table: Table, accountId: string) =>
  partition(table, keyFor(accountId).pk);

async function* account(table: Table, accountId: string): AsyncGenerator<Item> {
  const row = await table.get(accountKey(accountId));
  if (row) yield row;
}

async function* products(table: Table, accountId: string): AsyncGenerator<Item> {
  async function* keys() {
    const listed = partition(table, listedProductKey(accountId, '').pk);
    for await (const { sk } of listed) yield productKey(accountId, String(sk));
  }
  yield* byKeys(table, keys());
}

async function* invoices(table: Table, accountId: string): AsyncGenerator<Item> {
  for await (const { sk } of partition(table, subscriptionKey(accountId, '').pk)) {
    yield* partition(table, invoiceKey(String(sk), '').pk, invoiceKey('', '').sk);
  }
}

async function* posts(table: Table, accountId: string): AsyncGenerator<Item> {
  for (const ownerOf of [postsOwner, unlistedPostsOwner]) yield* owned(ownerOf)(table, accountId);
}

async function* messages(table: Table, accountId: string): AsyncGenerator<Item> {
  const prefix = messageKey('', '', '').sk;
  for await (const { pk } of ownedKeys(table, conversationsOwner(accountId))) yield* partition(table, pk, prefix);
}

async function* comments(table: Table, accountId: string): AsyncGenerator<Item> {
  const prefix = commentKey('', '', '').sk;
  for (const ownerOf of [postsOwner, unlistedPostsOwner]) {
    for await (const { pk } of ownedKeys(table, ownerOf(accountId))) yield* partition(table, pk, prefix);
  }
}

const listedId = (row: Item): string => String(row[indexes.byOwner.sk]);
const sortKey = ({ sk }: Item): string => String(sk);

/** Every kind that is exported has a finder, or the compiler complains. */
export const rowsToExport: Readonly<Record<ExportedKind, Finder>> = {
  account: { rows: account, ids: (row) => ({ accountId: accountIdOf(row) }) },
  token: { rows: owned(tokensOwner), ids: (row) => ({ tokenId: listedId(row) }) },
  session: { rows: owned(sessionsOwner), ids: (row) => ({ sessionId: listedId(row) }) },
  identity: { rows: owned(identitiesOwner), ids: () => ({}) },
  ledgerRow: { rows: within((id) => ledgerKey(id, '')), ids: (row) => ({ id: sortKey(row) }) },
  order: { rows: owned(ordersOwner), ids: (row) => ({ orderId: orderIdOf(row) }) },
  subscription: { rows: within((id) => subscriptionKey(id, '')), ids: (row) => ({ subscriptionId: sortKey(row) }) },
  // An invoice’s own id is a reference of the gateway.
  invoice: { rows: invoices, ids: ({ pk }) => ({ subscriptionId: String(pk).split('#')[1] ?? '' }) },
  task: { rows: owned(tasksOwner), ids: (row) => ({ taskId: taskIdOf(row) }) },
  influencer: { rows: within((id) => influencerKey(id, '')), ids: (row) => ({ influencerId: sortKey(row) }) },
  file: { rows: owned(filesOwner), ids: (row) => ({ fileId: ownIdOf(row) }) },
  product: { rows: products, ids: (row) => ({ productId: ownIdOf(row) }) },
  avatar: { rows: owned(avatarsOwner), ids: (row) => ({ avatarId: ownIdOf(row) }) },
  connection: { rows: within((id) => connectionKey(id, 'instagram')), ids: (row) => ({ channel: sortKey(row) }) },
  conversation: { rows: owned(conversationsOwner), ids: (row) => ({ conversationId: inboxIdIn(row) }) },
  message: {
    rows: messages,
    ids: (row) => ({ conversationId: inboxIdIn(row), messageId: messageIdIn(row) }),
  },
  post: { rows: posts, ids: (row) => ({ postId: inboxIdIn(row) }) },
  comment: { rows: comments, ids: (row) => ({ postId: inboxIdIn(row), commentId: commentIdIn(row) }) },
};
