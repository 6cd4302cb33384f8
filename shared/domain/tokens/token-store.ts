/** Stores tokens: their creation, their list and their revocation. */
import { type Action, type Item, type Table, TransactionCanceled } from '../../platform/dynamo-table.ts';
import { timeOfId } from '../../platform/ids.ts';
import { indexes, tokenDigestOf, tokenKey, tokensOwner } from '../keys.ts';
import { readable } from '../readable-rows.ts';
import {
  activeTokens,
  addActive,
  findActive,
  findActiveInIndex,
  removeActive,
  removedAtOnce,
  removeExpired,
  tokenItems,
  tokensInIndex,
} from './active-tokens.ts';
import { never, parseToken, type TokenAdmissions, type TokenRow, tokenAdmissions, toToken } from './admit-token.ts';
import { emptyLog } from './rate-limit.ts';
import type { Token } from './token.ts';

/** What holds for a new token, in its own transaction. */
export interface TokenConditions {
  /** How many tokens of the account may be active, this one included; by default any number. */
  readonly limit?: number;
  /** A condition on another item, such as the session that creates the token. */
  readonly given?: Action;
}

/** Nothing is stored if it is `full` (the limit is reached) or `unmet` (the given condition does not hold). */
export type Insertion = 'inserted' | 'full' | 'unmet';

/** A token with what only lists say of it. */
export interface ListedToken extends Token {
  /** When its last request was admitted, if there was one. */
  readonly lastUsedAt?: number;
}

export interface TokenStore extends TokenAdmissions {
  insert(digest: string, token: Token, conditions?: TokenConditions): Promise<Insertion>;
  /** Newest first: all that are active, and of the others those among the newest 100. */
  list(accountId: string): Promise<ListedToken[]>;
  /** False when the account has no such token; a second revocation keeps the first's time. */
  revoke(accountId: string, tokenId: string, now: number): Promise<boolean>;
}

/** The key of a token is the digest of its secret. */
const listedIdOf = (item: Item): string => String(item[indexes.byOwner.sk]);

const toListed = (row: TokenRow): ListedToken => {
  const lastUsedAt = Math.max(...row.rl);
  return { ...toToken(row), ...(lastUsedAt > 0 && { lastUsedAt }) };
};

const toItem = (digest: string, token: Token): Item => ({
  ...tokenKey(digest),
  [indexes.byOwner.pk]: tokensOwner(token.accountId),
  [indexes.byOwner.sk]: token.tokenId,
  name: token.name,
  scopes: new Set(token.scopes),
  exp: token.expiresAt ?? never,
  rl: emptyLog(),
});

const insertToken = (digest: string, token: Token): Action => ({
  Put: { Item: toItem(digest, token), ConditionExpression: 'attribute_not_exists(pk)' },
});

/** A token's id says when it is created, and so which others have expired by then. */
async function insert(table: Table, digest: string, token: Token, conditions: TokenConditions): Promise<Insertion> {
  const { accountId, tokenId, expiresAt: exp = never } = token;
  const { limit, given } = conditions;
  for (;;) {
    const active = Object.entries(await activeTokens(table, accountId));
    const expired = active.filter(([, other]) => other.exp <= timeOfId(tokenId)).map(([id]) => id);
    if (limit !== undefined && active.length - expired.length >= limit) return 'full';
    if (expired.length > removedAtOnce) {
      await table.update(removeExpired(accountId, expired.slice(0, removedAtOnce)));
      continue;
    }
    const addition = addActive({ accountId, tokenId, digest, exp, expired, limit });
    try {
      await table.transact([insertToken(digest, token), addition, ...(given ? [given] : [])]);
      return 'inserted';
    } catch (error) {
      if (!(error instanceof TransactionCanceled) || error.failures[0]) throw error;
      if (error.failures[2]) return 'unmet';
      // Others were created meanwhile: there may be room still.
    }
  }
}

/** How many tokens are listed, besides the active ones. */
const listedTokens = 100;

async function list(table: Table, accountId: string): Promise<ListedToken[]> {
  const [found, keys] = await Promise.all([
    findActive(table, accountId),
    tokensInIndex(table, accountId, listedTokens),
  ]);
  const active = found ?? (await findActiveInIndex(table, accountId));
  const digests = [...new Set([...Object.values(active).map(({ digest }) => digest), ...keys.map(tokenDigestOf)])];
  const items = await tokenItems(table, digests);
  const read = (item: Item) => toListed(parseToken(item));
  return readable(table, { kind: 'token', idOf: listedIdOf }, items, read).toSorted((one, other) =>
    one.tokenId < other.tokenId ? 1 : -1,
  );
}

const revocation = (digest: string, now: number) => ({
  Key: tokenKey(digest),
  UpdateExpression: 'SET revokedAt = if_not_exists(revokedAt, :now)',
  ConditionExpression: 'attribute_exists(pk)',
  ExpressionAttributeValues: { ':now': now },
});

/** A token that is not active any more was there for longer than the index lags behind. */
async function revoke(table: Table, accountId: string, tokenId: string, now: number): Promise<boolean> {
  const { [tokenId]: found } = await activeTokens(table, accountId);
  if (found) {
    await table.transact([{ Update: revocation(found.digest, now) }, removeActive(accountId, tokenId)]);
    return true;
  }
  const [key] = await tokensInIndex(table, accountId, 1, tokenId);
  if (!key) return false;
  await table.update(revocation(tokenDigestOf(key), now));
  return true;
}

export const tokenStore = (table: Table): TokenStore => ({
  insert: (digest, token, conditions = {}) => insert(table, digest, token, conditions),
  ...tokenAdmissions(table),
  list: (accountId) => list(table, accountId),
  revoke: (accountId, tokenId, now) => revoke(table, accountId, tokenId, now),
});
