/**
 * The tokens of an account that are in force, in one row that is written together with each of them: it makes their
 * number exact however many are created at once, and finds a token by its id from the moment on in which it exists.
 */
import * as z from 'zod';
import { once } from '../../contracts/once.ts';
import { type Action, ConditionFailed, type Item, type Table } from '../../platform/dynamo-table.ts';
import { activeTokensKey, indexes, tokenDigestOf, tokenKey, tokensOwner } from '../keys.ts';
import { parseRow } from '../stored-row.ts';

/** By token id: the digest that it is stored under, and when it expires. Revoked tokens are not there. */
export type ActiveTokens = Readonly<Record<string, { readonly digest: string; readonly exp: number }>>;

const ActiveTokensRow = once(() =>
  z.object({ active: z.record(z.string(), z.object({ digest: z.string(), exp: z.int() })) }),
);

/** Undefined for an account that has had no token since this row exists. */
export async function findActive(table: Table, accountId: string): Promise<ActiveTokens | undefined> {
  const item = await table.get(activeTokensKey(accountId));
  return item && parseRow('row of active tokens', ActiveTokensRow(), item).active;
}

const inIndex = (accountId: string, tokenId?: string) => ({
  IndexName: 'byOwner',
  KeyConditionExpression: tokenId === undefined ? '#pk = :pk' : '#pk = :pk AND #sk = :sk',
  ExpressionAttributeNames: {
    '#pk': indexes.byOwner.pk,
    ...(tokenId !== undefined && { '#sk': indexes.byOwner.sk }),
  },
  ExpressionAttributeValues: { ':pk': tokensOwner(accountId), ...(tokenId !== undefined && { ':sk': tokenId }) },
  ScanIndexForward: false,
});

/** What the index has of an account's tokens, newest first: up to a number of them, or one by its id. */
export const tokensInIndex = (table: Table, accountId: string, limit: number, tokenId?: string): Promise<Item[]> =>
  table.list(inIndex(accountId, tokenId), { limit, offset: 0 });

const batchSize = 100;

/** The rows of any number of tokens; unordered. */
export async function tokenItems(table: Table, digests: readonly string[]): Promise<Item[]> {
  const batches = Array.from({ length: Math.ceil(digests.length / batchSize) }, (_, position) =>
    table.getMany(digests.slice(position * batchSize, (position + 1) * batchSize).map(tokenKey)),
  );
  return (await Promise.all(batches)).flat();
}

/** The active tokens of an account from before it had this row. */
export async function findActiveInIndex(table: Table, accountId: string): Promise<ActiveTokens> {
  const keys = await Array.fromAsync(table.walk(inIndex(accountId)));
  const items = await tokenItems(table, keys.map(tokenDigestOf));
  const inForce = items.filter((item) => item.revokedAt === undefined);
  return Object.fromEntries(
    inForce.map((item) => [String(item[indexes.byOwner.sk]), { digest: tokenDigestOf(item), exp: Number(item.exp) }]),
  );
}

/** Begins an account's row with the tokens that it has from earlier releases. */
async function begin(table: Table, accountId: string): Promise<ActiveTokens> {
  const active = await findActiveInIndex(table, accountId);
  try {
    await table.put({
      Item: { ...activeTokensKey(accountId), active },
      ConditionExpression: 'attribute_not_exists(pk)',
    });
    return active;
  } catch (error) {
    const found = error instanceof ConditionFailed && (await findActive(table, accountId));
    if (!found) throw error;
    return found;
  }
}

export const activeTokens = async (table: Table, accountId: string): Promise<ActiveTokens> =>
  (await findActive(table, accountId)) ?? (await begin(table, accountId));

/** How many expired tokens one expression removes: it must stay below 4 KB. */
export const removedAtOnce = 50;

/** Removes expired tokens that are too many to be removed together with an addition. */
export const removeExpired = (accountId: string, expired: readonly string[]) => ({
  Key: activeTokensKey(accountId),
  UpdateExpression: `REMOVE ${expired.map((_, position) => `active.#expired${position}`).join(', ')}`,
  ConditionExpression: 'attribute_exists(pk)',
  ExpressionAttributeNames: Object.fromEntries(expired.map((id, position) => [`#expired${position}`, id])),
});

interface Addition {
  readonly accountId: string;
  readonly tokenId: string;
  readonly digest: string;
  readonly exp: number;
  /** What was expired when the row was read: it makes room. */
  readonly expired: readonly string[];
  /** How many may be active, this one included. */
  readonly limit: number | undefined;
}

/** Fails if there is no room, or if what has expired was removed meanwhile, with the room that it made. */
export function addActive({ accountId, tokenId, digest, exp, expired, limit }: Addition): Action {
  const names = expired.map((_, position) => `active.#expired${position}`);
  const conditions = [
    'attribute_exists(pk)',
    ...names.map((name) => `attribute_exists(${name})`),
    ...(limit === undefined ? [] : ['size(active) < :room']),
  ];
  return {
    Update: {
      Key: activeTokensKey(accountId),
      UpdateExpression: `SET active.#id = :token${names.length > 0 ? ` REMOVE ${names.join(', ')}` : ''}`,
      ConditionExpression: conditions.join(' AND '),
      ExpressionAttributeNames: {
        '#id': tokenId,
        ...Object.fromEntries(expired.map((id, position) => [`#expired${position}`, id])),
      },
      ExpressionAttributeValues: {
        ':token': { digest, exp },
        ...(limit !== undefined && { ':room': limit + expired.length }),
      },
    },
  };
}

export const removeActive = (accountId: string, tokenId: string): Action => ({
  Update: {
    Key: activeTokensKey(accountId),
    UpdateExpression: 'REMOVE active.#id',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeNames: { '#id': tokenId },
  },
});
