/** The operators' search: finds what a customer, a gateway or a log mentions, and the account that it belongs to. */
import type { Channel } from '../../contracts/channels.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Item, Key, Table } from '../../platform/dynamo-table.ts';
import type { Account } from '../accounts/account.ts';
import { toAccount } from '../accounts/account-store.ts';
import { channelOf, findableKindOf, subscriptionIdOf } from '../handle-keys.ts';
import { connectionKey } from '../inbox-keys.ts';
import { accountKey, orderKey, tokenKey } from '../keys.ts';
import { readableItems } from '../readable-rows.ts';
import { liveAccountOf } from '../test-account.ts';
import { toTokenHandle } from '../tokens/token-handle.ts';
import { keysIn, queriesFor } from './handle-queries.ts';
import { describe, type Thing } from './present-found.ts';

interface Needs {
  readonly table: Table;
  readonly clock: Clock;
}

export interface Found extends Thing {
  /** The owner's email address and name; null if what was found belongs to no account. */
  readonly email: string | null;
  readonly name: string | null;
}

export interface SearchResult {
  readonly found: readonly Found[];
  /** Whether more was found than is shown. */
  readonly hasMore: boolean;
}

/** How many entries of each index are shown. */
const shown = 20;

const textOf = ({ pk, sk }: Item): string => `${String(pk)} ${String(sk)}`;

async function rowsOf({ table }: Needs, keys: readonly Key[]): Promise<Map<string, Item>> {
  const rows = keys.length === 0 ? [] : await table.getMany(keys);
  return new Map(rows.map((row) => [textOf(row), row]));
}

/**
 * The rows that a text leads to: first those whose keys follow from it, then those with a matching handle, in the order
 * of the indexes.
 */
async function foundRows(needs: Needs, text: string): Promise<{ rows: Item[]; hasMore: boolean }> {
  const given = keysIn(text);
  const searches = await Promise.all(
    queriesFor(text).map(async ({ query, isFound }) => ({
      keys: (await needs.table.list(query, { limit: shown + 1, offset: 0 })) as unknown as Key[],
      isFound,
    })),
  );
  const candidates = [
    ...given.map((key) => ({ key, isFound: () => true })),
    ...searches.flatMap(({ keys, isFound }) => keys.slice(0, shown).map((key) => ({ key, isFound }))),
  ];
  const rows = await rowsOf(
    needs,
    candidates.map(({ key }) => key),
  );
  const found = candidates.flatMap(({ key, isFound }) => {
    const row = rows.get(textOf({ ...key }));
    return row && isFound(row) ? [row] : [];
  });
  return { rows: [...new Set(found)], hasMore: searches.some(({ keys }) => keys.length > shown) };
}

/** The key of the row to which a row leads that is not shown itself. */
function targetOf(row: Item): Key | undefined {
  switch (findableKindOf(row)) {
    case 'tokenHandle':
      return tokenKey(toTokenHandle(row).digest);
    case 'page':
      return connectionKey(String(row.accountId), channelOf(row) as Channel);
    case 'invoice':
      return orderKey(subscriptionIdOf(row));
    default:
      return undefined;
  }
}

/** Replaces rows that only lead to another row by that row. */
async function followed(needs: Needs, rows: readonly Item[]): Promise<Item[]> {
  const targets = new Map(
    readableItems(needs.table, 'row of the search', rows, (row) => [row, targetOf(row)] as const),
  );
  const things = await rowsOf(
    needs,
    [...targets.values()].filter((key) => key !== undefined),
  );
  return rows.flatMap((row) => {
    const key = targets.get(row);
    const thing = key ? things.get(textOf({ ...key })) : row;
    return thing ? [thing] : [];
  });
}

/** The accounts to which the found rows belong; a test account is shown with the owner of its live account. */
async function ownersOf(needs: Needs, things: readonly Thing[], rows: readonly Item[]): Promise<Map<string, Account>> {
  const ids = new Set(things.flatMap(({ accountId }) => (accountId === undefined ? [] : [liveAccountOf(accountId)])));
  const read = new Map(rows.map((row) => [textOf(row), row]));
  const keys = [...ids].map(accountKey);
  const missing = await rowsOf(
    needs,
    keys.filter((key) => !read.has(textOf(key))),
  );
  const accounts = keys
    .map((key) => read.get(textOf(key)) ?? missing.get(textOf(key)))
    .filter((account) => account !== undefined);
  return new Map(
    readableItems(needs.table, 'account', accounts, toAccount).map((account) => [account.accountId, account]),
  );
}

/**
 * Finds everything that a text names: an e-mail address, the beginning of a name, an id, a token or its last characters,
 * a client reference, a payment at a gateway, the id of the request that created a task, the URL of a result, or a page.
 * Reads at most three pages of indexes, and then the rows that are shown.
 */
export async function findAnything(needs: Needs, given: string): Promise<SearchResult> {
  const { rows, hasMore } = await foundRows(needs, given.trim());
  const things = [...new Map((await followed(needs, rows)).map((row) => [textOf(row), row] as const)).values()];
  const now = needs.clock.now();
  const described = readableItems(needs.table, 'row of the search', things, (row) => {
    const kind = findableKindOf(row);
    return kind === undefined || kind === 'invoice' || kind === 'page' || kind === 'tokenHandle'
      ? undefined
      : describe(kind, row, now);
  }).filter((thing) => thing !== undefined);
  const owners = await ownersOf(needs, described, things);
  const found = described.map((thing) => {
    const owner = thing.accountId === undefined ? undefined : owners.get(liveAccountOf(thing.accountId));
    return { ...thing, email: owner?.email ?? null, name: owner?.name ?? null };
  });
  return { found, hasMore };
}
