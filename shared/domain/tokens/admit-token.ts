/**
 * Admits a request by token with a single write. Every function with authentication bundles this module, so it contains
 * nothing else.
 */
import * as z from 'zod';
import { requestsPerMinute } from '../../contracts/limits.ts';
import { once } from '../../contracts/once.ts';
import { type Scope, scopes } from '../../contracts/scopes.ts';
import { tokenModes } from '../../contracts/token-modes.ts';
import { ConditionFailed, type Item, type Table } from '../../platform/dynamo-table.ts';
import { indexes, ownerOfToken } from '../index-keys.ts';
import { tokenKey } from '../keys.ts';
import { type RateLimit, rateLimitAt, windowMs } from '../rate-limit.ts';
import { parseRow } from '../stored-row.ts';
import type { Token } from './token.ts';

/** The expiry stored for a token without one, the year 9999, so that one comparison serves both kinds. */
export const never = 253_402_300_799_000;

export type Admission =
  | { readonly status: 'admitted'; readonly token: Token; readonly rateLimit: RateLimit }
  | { readonly status: 'limited'; readonly token: Token; readonly rateLimit: RateLimit }
  | { readonly status: 'rejected' };

export interface TokenAdmissions {
  /**
   * Authenticates a request, checks expiry and revocation, and counts the request in one write: it appends to the log
   * and drops the oldest of its 60 entries if that has left the window. A rejected request is not counted.
   */
  admit(digest: string, now: number): Promise<Admission>;
}

/** The token's and account's ids are stored only in index attributes, because the row must stay below a kilobyte. */
const TokenRow = once(() =>
  z.object({
    [indexes.byOwner.pk]: z.string(),
    [indexes.byOwner.sk]: z.string(),
    name: z.string(),
    // Scopes unknown to this release are ignored, because a later release may have granted them.
    scopes: z.set(z.string()),
    exp: z.int(),
    mode: z.exactOptional(z.enum(tokenModes)),
    revokedAt: z.exactOptional(z.int()),
    cap: z.exactOptional(z.int()),
    rl: z.array(z.int()),
  }),
);
export type TokenRow = z.output<ReturnType<typeof TokenRow>>;

const isScope = (text: string): text is Scope => scopes.some((scope) => scope === text);

export const parseToken = (item: Item): TokenRow => parseRow('token', TokenRow(), item);

export const toToken = (row: TokenRow): Token => ({
  tokenId: row[indexes.byOwner.sk],
  accountId: ownerOfToken(row[indexes.byOwner.pk]),
  name: row.name,
  ...(row.mode && { mode: row.mode }),
  scopes: [...row.scopes].filter(isScope),
  ...(row.exp !== never && { expiresAt: row.exp }),
  ...(row.revokedAt !== undefined && { revokedAt: row.revokedAt }),
  ...(row.cap !== undefined && { monthlyCreditCap: row.cap }),
});

const standing = (row: TokenRow, now: number) => ({ token: toToken(row), rateLimit: rateLimitAt(row.rl, now) });

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

export const tokenAdmissions = (table: Table): TokenAdmissions => ({
  admit: (digest, now) => admit(table, digest, now),
});
