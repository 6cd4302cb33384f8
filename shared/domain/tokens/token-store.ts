/** Stores tokens: inserts, lists and revokes them. */
import { type Action, type Item, type Table, TransactionCanceled } from '../../platform/dynamo-table.ts';
import { timeOfId } from '../../platform/ids.ts';
import { indexes, tokensOwner } from '../index-keys.ts';
import { tokenDigestOf, tokenKey } from '../keys.ts';
import { emptyLog } from '../rate-limit.ts';
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
import type { Token } from './token.ts';

/** Conditions on storing a new token, checked in its transaction. */
export interface TokenConditions {
  /** How many tokens of the account may be active, including the new one; unlimited by default. */
  readonly limit?: number;
  /** A condition on another item, such as the session that creates the token. */
  readonly given?: Action;
  /** Builds the writes that store what the token needs and does not exist yet; the first fails once it exists. */
  readonly alongside?: () => Promise<readonly Action[]>;
  /** The row by which operators find the token. */
  readonly handle?: Action;
}

/**
 * The result of storing a token. Nothing is stored if it is `full` (the limit is reached) or `unmet` (the condition
 * does not hold).
 */
export type Insertion = 'inserted' | 'full' | 'unmet';

/**
 * The result of changing a cap. Nothing is changed if the account has no such active token (`unknown`) or the condition
 * does not hold (`unmet`).
 */
export type CapChange = 'set' | 'unknown' | 'unmet';

/** A token with details that only lists return. */
export interface ListedToken extends Token {
  /** When the token's last request was admitted, if any. */
  readonly lastUsedAt?: number;
}

export interface TokenStore extends TokenAdmissions {
  insert(digest: string, token: Token, conditions?: TokenConditions): Promise<Insertion>;
  /** All active tokens, and those of the newest 100 that are not active; newest first. */
  list(accountId: string): Promise<ListedToken[]>;
  /**
   * Revokes a token; false if the account does not have it. Revoking it again keeps the time of the first revocation.
   */
  revoke(accountId: string, tokenId: string, now: number): Promise<boolean>;
  /** Sets a token's monthly cap, or removes it if it is undefined, on a condition on another item if one is given. */
  setCap(accountId: string, tokenId: string, cap: number | undefined, given?: Action): Promise<CapChange>;
}

/** The id of a token's row; the row's key is the digest of the token. */
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
  ...(token.mode === 'test' && { mode: token.mode }),
  exp: token.expiresAt ?? never,
  rl: emptyLog(),
  ...(token.monthlyCreditCap !== undefined && { cap: token.monthlyCreditCap }),
});

const insertToken = (digest: string, token: Token): Action => ({
  Put: { Item: toItem(digest, token), ConditionExpression: 'attribute_not_exists(pk)' },
});

/** The creation time is taken from the token's id, and determines which other tokens have expired. */
async function insert(table: Table, digest: string, token: Token, conditions: TokenConditions): Promise<Insertion> {
  const { accountId, tokenId, expiresAt: exp = never } = token;
  const { limit, given, alongside, handle } = conditions;
  for (;;) {
    const active = Object.entries(await activeTokens(table, accountId));
    const expired = active.filter(([, other]) => other.exp <= timeOfId(tokenId)).map(([id]) => id);
    if (limit !== undefined && active.length - expired.length >= limit) return 'full';
    if (expired.length > removedAtOnce) {
      await table.update(removeExpired(accountId, expired.slice(0, removedAtOnce)));
      continue;
    }
    const addition = addActive({ accountId, tokenId, digest, exp, expired, limit });
    const others = [...((await alongside?.()) ?? []), ...(handle ? [handle] : [])];
    try {
      await table.transact([insertToken(digest, token), addition, ...(given ? [given] : []), ...others]);
      return 'inserted';
    } catch (error) {
      if (!(error instanceof TransactionCanceled) || error.failures[0]) throw error;
      if (given && error.failures[2]) return 'unmet';
      // If other tokens were created at the same time, there may still be room, and what the token needs may exist by
      // now, so the write is repeated.
    }
  }
}

/** How many of an account's newest tokens are listed in addition to the active ones. */
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

/** Revokes a token by its id. A token that is no longer active is old enough to be found in the index. */
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

const capChange = (digest: string, cap: number | undefined): Action => ({
  Update: {
    Key: tokenKey(digest),
    ConditionExpression: 'attribute_exists(pk)',
    ...(cap === undefined
      ? { UpdateExpression: 'REMOVE cap' }
      : { UpdateExpression: 'SET cap = :cap', ExpressionAttributeValues: { ':cap': cap } }),
  },
});

/** Only requests that are admitted afterwards are subject to the new cap. */
async function setCap(
  table: Table,
  accountId: string,
  tokenId: string,
  cap: number | undefined,
  given?: Action,
): Promise<CapChange> {
  const { [tokenId]: found } = await activeTokens(table, accountId);
  if (!found) return 'unknown';
  try {
    await table.transact([capChange(found.digest, cap), ...(given ? [given] : [])]);
    return 'set';
  } catch (error) {
    if (error instanceof TransactionCanceled && error.failures[1]) return 'unmet';
    throw error;
  }
}

export const tokenStore = (table: Table): TokenStore => ({
  insert: (digest, token, conditions = {}) => insert(table, digest, token, conditions),
  ...tokenAdmissions(table),
  list: (accountId) => list(table, accountId),
  revoke: (accountId, tokenId, now) => revoke(table, accountId, tokenId, now),
  setCap: (accountId, tokenId, cap, given) => setCap(table, accountId, tokenId, cap, given),
});
