/**
 * The active tokens of an account, in one row that is written together with each token. This makes their number exact
 * however many are created at once, and finds a token by its id as soon as it exists.
 */
import * as z from 'zod';
import { once } from '../../contracts/once.ts';
import { type Action, ConditionFailed, type Item, type Table } from '../../platform/dynamo-table.ts';
import { indexes, tokensOwner } from '../index-keys.ts';
import { activeTokensKey, tokenDigestOf, tokenKey } from '../keys.ts';
import { parseRow } from '../stored-row.ts';

/**
 * For each active token's id, the digest under which the token is stored and when it expires; revoked tokens are
 * removed.
 */
export type ActiveTokens = Readonly<Record<string, { readonly digest: string; readonly exp: number }>>;

const ActiveTokensRow = once(() =>
  z.object({ active: z.record(z.string(), z.object({ digest: z.string(), exp: z.int() })) }),
);

/** Finds an account's active tokens; undefined if it has created no token since this row was introduced. */
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

/** Tokens of an account in the index, newest first: up to a limit, or one by its id. The index may lag. */
export const tokensInIndex = (table: Table, accountId: string, limit: number, tokenId?: string): Promise<Item[]> =>
  table.list(inIndex(accountId, tokenId), { limit, offset: 0 });

/** The rows of any number of tokens, unordered. */
export const tokenItems = (table: Table, digests: readonly string[]): Promise<Item[]> =>
  table.getMany(digests.map(tokenKey));

/** The active tokens of an account that does not have this row yet. */
export async function findActiveInIndex(table: Table, accountId: string): Promise<ActiveTokens> {
  const keys = await Array.fromAsync(table.walk(inIndex(accountId)));
  const items = await tokenItems(table, keys.map(tokenDigestOf));
  const inForce = items.filter((item) => item.revokedAt === undefined);
  return Object.fromEntries(
    inForce.map((item) => [String(item[indexes.byOwner.sk]), { digest: tokenDigestOf(item), exp: Number(item.exp) }]),
  );
}

/** Creates the row of an account from its existing tokens. */
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

/** How many expired tokens one update removes; its expression must stay below 4 KB. */
export const removedAtOnce = 50;

/** Removes expired tokens when there are too many to remove together with an addition. */
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
  /** Tokens that had expired when the row was read; they are removed to make room. */
  readonly expired: readonly string[];
  /** How many tokens may be active, including the new one; undefined if there is no limit. */
  readonly limit: number | undefined;
}

/** Adds a token. Fails if the limit is reached, or if another write has already removed the expired tokens. */
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
