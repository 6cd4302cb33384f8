/** Stores tokens, and admits a request with a single write. */
import * as z from 'zod';
import { requestsPerMinute } from '../../contracts/limits.ts';
import { once } from '../../contracts/once.ts';
import { type Scope, scopes } from '../../contracts/scopes.ts';
import { ConditionFailed, type Item, type Table } from '../../platform/dynamo-table.ts';
import { indexes, ownerOfToken, tokenKey, tokensOwner } from '../keys.ts';
import { parseRow } from '../stored-row.ts';
import { emptyLog, type RateLimit, rateLimitAt, windowMs } from './rate-limit.ts';
import type { Token } from './token.ts';

/** What a token without an expiry carries, so that one comparison serves both kinds: the year 9999. */
const never = 253_402_300_799_000;

export type Admission =
  | { readonly status: 'admitted'; readonly token: Token; readonly rateLimit: RateLimit }
  | { readonly status: 'limited'; readonly token: Token; readonly rateLimit: RateLimit }
  | { readonly status: 'rejected' };

export interface TokenStore {
  insert(digest: string, token: Token): Promise<void>;
  /**
   * Authenticates, checks expiry and revocation and counts the request, in one write: the log gets a 61st entry and
   * loses its oldest, if that one is out of the window. A rejected request is not counted.
   */
  admit(digest: string, now: number): Promise<Admission>;
  list(accountId: string): Promise<Token[]>;
  /** False when the account has no such token; a second revocation keeps the first's time. */
  revoke(accountId: string, tokenId: string, now: number): Promise<boolean>;
}

/** Ids of token and account stand in the index's attributes alone: the item must stay below a kilobyte. */
const TokenRow = once(() =>
  z.object({
    [indexes.byOwner.pk]: z.string(),
    [indexes.byOwner.sk]: z.string(),
    name: z.string(),
    // A scope that this release does not know grants nothing: a later one may have given it.
    scopes: z.set(z.string()),
    exp: z.int(),
    revokedAt: z.exactOptional(z.int()),
    rl: z.array(z.int()),
  }),
);
type TokenRow = z.output<ReturnType<typeof TokenRow>>;

const isScope = (text: string): text is Scope => scopes.some((scope) => scope === text);

const parseToken = (item: Item): TokenRow => parseRow('token', TokenRow(), item);

const toToken = (row: TokenRow): Token => ({
  tokenId: row[indexes.byOwner.sk],
  accountId: ownerOfToken(row[indexes.byOwner.pk]),
  name: row.name,
  scopes: [...row.scopes].filter(isScope),
  ...(row.exp !== never && { expiresAt: row.exp }),
  ...(row.revokedAt !== undefined && { revokedAt: row.revokedAt }),
});

const standing = (row: TokenRow, now: number) => ({ token: toToken(row), rateLimit: rateLimitAt(row.rl, now) });

const toItem = (digest: string, token: Token): Item => ({
  ...tokenKey(digest),
  [indexes.byOwner.pk]: tokensOwner(token.accountId),
  [indexes.byOwner.sk]: token.tokenId,
  name: token.name,
  scopes: new Set(token.scopes),
  exp: token.expiresAt ?? never,
  rl: emptyLog(),
});

const isUsable = ({ revokedAt, exp }: TokenRow, now: number): boolean => revokedAt === undefined && exp > now;

async function admit(table: Table, digest: string, now: number): Promise<Admission> {
  try {
    const item = await table.update({
      Key: tokenKey(digest),
      UpdateExpression: `SET rl[${requestsPerMinute}] = :now REMOVE rl[0]`,
      ConditionExpression:
        'attribute_exists(pk) AND attribute_not_exists(revokedAt) AND exp > :now AND rl[0] <= :windowStart',
      ExpressionAttributeValues: { ':now': now, ':windowStart': now - windowMs },
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    return { status: 'admitted', ...standing(parseToken(item), now) };
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    const row = error.item && parseToken(error.item);
    return row && isUsable(row, now) ? { status: 'limited', ...standing(row, now) } : { status: 'rejected' };
  }
}

async function itemsOf(table: Table, accountId: string): Promise<Item[]> {
  const keys = await Array.fromAsync(
    table.walk({
      IndexName: 'byOwner',
      KeyConditionExpression: '#pk = :pk',
      ExpressionAttributeNames: { '#pk': indexes.byOwner.pk },
      ExpressionAttributeValues: { ':pk': tokensOwner(accountId) },
    }),
  );
  const items = await Promise.all(keys.map((key) => table.get({ pk: String(key.pk), sk: String(key.sk) })));
  return items.filter((item) => item !== undefined);
}

async function revoke(table: Table, accountId: string, tokenId: string, now: number): Promise<boolean> {
  const item = (await itemsOf(table, accountId)).find((candidate) => candidate[indexes.byOwner.sk] === tokenId);
  if (!item) return false;
  await table.update({
    Key: { pk: item.pk, sk: item.sk },
    UpdateExpression: 'SET revokedAt = if_not_exists(revokedAt, :now)',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':now': now },
  });
  return true;
}

export const tokenStore = (table: Table): TokenStore => ({
  insert: (digest, token) =>
    table.put({ Item: toItem(digest, token), ConditionExpression: 'attribute_not_exists(pk)' }),
  admit: (digest, now) => admit(table, digest, now),
  list: async (accountId) => (await itemsOf(table, accountId)).map((item) => toToken(parseToken(item))),
  revoke: (accountId, tokenId, now) => revoke(table, accountId, tokenId, now),
});
