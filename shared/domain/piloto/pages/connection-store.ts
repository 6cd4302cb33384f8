/** Stores the connections of accounts, and the account that each page belongs to. */
import * as z from 'zod';
import { type Channel, connectionStates } from '../../../contracts/channels.ts';
import { once } from '../../../contracts/once.ts';
import { type Action, type Item, type Key, type Table, TransactionCanceled } from '../../../platform/dynamo-table.ts';
import { findableBy, findableByName } from '../../handle-keys.ts';
import { connectionKey, connectionOf, openConnections, pageKey, pageUserKey } from '../../inbox-keys.ts';
import { checkTime, indexes } from '../../index-keys.ts';
import { readableItems } from '../../readable-rows.ts';
import { parseRow } from '../../stored-row.ts';
import { walkDue } from '../../walk-index.ts';
import { type Connection, syncModes, syncPhases } from './connection.ts';

type ConnectionId = Pick<Connection, 'accountId' | 'channel'>;

export interface ConnectionStore {
  find(id: ConnectionId): Promise<Connection | undefined>;
  /** An account's connections, including those being erased; at most one per channel. */
  of(accountId: string): Promise<Connection[]>;
  /** The account that a page is connected to. */
  accountOf(channel: Channel, pageId: string): Promise<string | undefined>;
  /**
   * The accounts to which a page is connected, or to which a user of the social network has connected a page, by the
   * social network's id of the page or the user.
   */
  accountsOf(channel: Channel, id: string): Promise<string[]>;
  /** The connections that are due for work, the longest overdue first. */
  due(now: number): AsyncGenerator<ConnectionId>;
  /** The connections of all accounts. */
  all(): AsyncGenerator<ConnectionId>;
  /**
   * Saves a changed connection; undefined if its version has changed since it was read.
   * @throws {Error} the error of the first of the conditions `given` that fails
   */
  save(
    connection: Connection,
    besides?: readonly Action[],
    given?: readonly ItemCondition[],
  ): Promise<Connection | undefined>;
}

/** A condition on another item, and the error to throw if it fails. */
export interface ItemCondition {
  readonly check: Action;
  readonly unmet: () => Error;
}

const Place = once(() =>
  z.object({
    cursor: z.string(),
    chunks: z.optional(z.int()),
    begunAt: z.int(),
    seen: z.optional(z.string()),
    commentCount: z.optional(z.int()),
  }),
);

const Run = once(() =>
  z.object({
    mode: z.enum(syncModes),
    startedAt: z.int(),
    phase: z.enum(syncPhases),
    cursor: z.optional(z.string()),
    chunks: z.optional(z.int()),
    entry: z.optional(z.object({ id: z.string(), place: z.optional(Place()) })),
    listed: z.array(z.string()),
    oldest: z.optional(z.int()),
    prunedTo: z.optional(z.string()),
    isIncomplete: z.optional(z.boolean()),
    failures: z.optional(z.int()),
    found: z.int().min(0),
    synchronized: z.int().min(0),
  }),
);

const ConnectionRow = once(() =>
  z.object({
    network: z.enum(['meta', 'sandbox']),
    pageId: z.string(),
    name: z.string(),
    username: z.string().nullable(),
    userId: z.optional(z.string()),
    state: z.enum(connectionStates),
    sealedToken: z.optional(z.string()),
    tokenExpiresAt: z.optional(z.int()),
    renewTokenAt: z.optional(z.int()),
    connectedAt: z.int(),
    accessSince: z.optional(z.int()),
    version: z.int(),
    run: z.optional(Run()),
    syncedAt: z.optional(z.int()),
    fullySyncedAt: z.optional(z.int()),
    fault: z.optional(z.string()),
    endedAt: z.optional(z.int()),
    dueAt: z.int(),
    leasedUntil: z.optional(z.int()),
  } satisfies Record<Exclude<keyof Connection, keyof ConnectionId>, z.ZodType>),
);

const PageRow = once(() => z.object({ accountId: z.string() }));

export const toConnection = (item: Item): Connection => ({
  ...connectionOf(item),
  ...parseRow('connection', ConnectionRow(), item),
});

/** The attributes by which operators find a page. */
export const connectionHandles = ({ name, username }: Pick<Connection, 'name' | 'username'>): Item => ({
  ...(username !== null && findableBy('byHandle', username)),
  ...findableByName(name),
});

/** Saves a connection, unless its version has changed since it was read; a new one has version 0. */
function saveConnection(connection: Connection): Action {
  const { accountId, channel, version, ...row } = connection;
  const due = { [indexes.open.pk]: openConnections, [indexes.open.sk]: checkTime(row.dueAt) };
  return {
    Put: {
      Item: {
        ...connectionKey(accountId, channel),
        ...row,
        ...due,
        ...connectionHandles(row),
        version: version + 1,
      },
      ...(version === 0
        ? { ConditionExpression: 'attribute_not_exists(pk)' }
        : {
            ConditionExpression: '#version = :version',
            ExpressionAttributeNames: { '#version': 'version' },
            ExpressionAttributeValues: { ':version': version },
          }),
    },
  };
}

/** Removes a connection whose copy is erased, unless its version has changed since it was read. */
export const removeConnection = ({ accountId, channel, version }: Connection): Action => ({
  Delete: {
    Key: connectionKey(accountId, channel),
    ConditionExpression: '#version = :version',
    ExpressionAttributeNames: { '#version': 'version' },
    ExpressionAttributeValues: { ':version': version },
  },
});

const unlessOfAnother = (accountId: string) => ({
  ConditionExpression: 'attribute_not_exists(pk) OR accountId = :account',
  ExpressionAttributeValues: { ':account': accountId },
});

const userKeys = ({ accountId, channel, userId }: Connection): Key[] =>
  userId === undefined ? [] : [pageUserKey(channel, userId, accountId)];

const forgetUser = (connection: Connection): Action[] => userKeys(connection).map((Key) => ({ Delete: { Key } }));

/** Claims a page for one account. The social-network user who connected it to the account before is removed. */
export const claimPage = (connection: Connection, before: Connection = connection): Action[] => {
  const { accountId, channel, pageId, userId } = connection;
  return [
    { Put: { Item: { ...pageKey(channel, pageId), accountId }, ...unlessOfAnother(accountId) } },
    ...userKeys(connection).map((key) => ({ Put: { Item: { ...key, accountId } } })),
    ...(before.userId === userId ? [] : forgetUser(before)),
  ];
};

export const releasePage = (connection: Connection): Action[] => {
  const { accountId, channel, pageId } = connection;
  const page = { Delete: { Key: pageKey(channel, pageId), ...unlessOfAnother(accountId) } };
  return [page, ...forgetUser(connection)];
};

/** Commits; false if one of the actions cannot be, because something has changed. @throws {Error} of an unmet condition */
async function saveAll(table: Table, actions: readonly Action[], given: readonly ItemCondition[]): Promise<boolean> {
  try {
    await table.transact([...actions, ...given.map(({ check }) => check)]);
    return true;
  } catch (error) {
    if (!(error instanceof TransactionCanceled)) throw error;
    const unmet = given.find((_, index) => error.failures[actions.length + index]);
    if (unmet) throw unmet.unmet();
    return false;
  }
}

export function connectionStore(table: Table): ConnectionStore {
  async function* keysUntil(until: string): AsyncGenerator<ConnectionId> {
    for await (const key of walkDue(table, openConnections, until)) yield connectionOf(key);
  }
  return {
    async find({ accountId, channel }) {
      const item = await table.get(connectionKey(accountId, channel));
      return item && toConnection(item);
    },
    async of(accountId) {
      const query = {
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': connectionKey(accountId, 'instagram').pk },
        ConsistentRead: true,
      };
      return readableItems(table, 'connection', await Array.fromAsync(table.walk(query)), toConnection);
    },
    async accountOf(channel, pageId) {
      const item = await table.get(pageKey(channel, pageId));
      return item && parseRow('page', PageRow(), item).accountId;
    },
    async accountsOf(channel, id) {
      const query = {
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': pageKey(channel, id).pk },
        ConsistentRead: true,
      };
      const owners = (await Array.fromAsync(table.walk(query))).map(
        (row) => parseRow('page', PageRow(), row).accountId,
      );
      return [...new Set(owners)];
    },
    due: (now) => keysUntil(checkTime(now)),
    all: () => keysUntil(checkTime(Number.MAX_SAFE_INTEGER)),
    async save(connection, besides = [], given = []) {
      const isSaved = await saveAll(table, [saveConnection(connection), ...besides], given);
      return isSaved ? { ...connection, version: connection.version + 1 } : undefined;
    },
  };
}
