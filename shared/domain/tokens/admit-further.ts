/** Counts a request that was admitted by its token as several, all or none of which the rate limit admits. */
import { ConditionFailed, type Item, type Table } from '../../platform/dynamo-table.ts';
import { tokenKey } from '../keys.ts';
import { type RateLimit, rateLimitAt, windowMs } from '../rate-limit.ts';
import { parseToken } from './admit-token.ts';

export type FurtherAdmission =
  | { readonly status: 'admitted'; readonly rateLimit: RateLimit }
  /** `retryAfterSeconds`: the whole seconds, at least 1, after which as many would be admitted. */
  | { readonly status: 'limited'; readonly rateLimit: RateLimit; readonly retryAfterSeconds: number };

/** Replaces the log if it has not changed since it was read; otherwise returns the current row. */
async function replaceLog(
  table: Table,
  digest: string,
  seen: readonly number[],
  log: readonly number[],
): Promise<Item | undefined> {
  try {
    await table.update({
      Key: tokenKey(digest),
      UpdateExpression: 'SET rl = :log',
      ConditionExpression: 'rl = :seen',
      ExpressionAttributeValues: { ':log': log, ':seen': seen },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof ConditionFailed) || !error.item) throw error;
    return error.item;
  }
}

export async function admitFurther(
  table: Table,
  digest: string,
  now: number,
  count: number,
): Promise<FurtherAdmission> {
  // No token has an empty log, so the first attempt reads it. Each later one fails only because another request was
  // admitted, of which a minute has few.
  let seen: readonly number[] = [];
  let log = seen;
  for (;;) {
    const current = await replaceLog(table, digest, seen, log);
    if (!current) return { status: 'admitted', rateLimit: rateLimitAt(log, now) };
    seen = parseToken(current).rl;
    const freeAt = (seen[count - 1] ?? now) + windowMs;
    if (freeAt > now) {
      const retryAfterSeconds = Math.ceil((freeAt - now) / 1000);
      return { status: 'limited', rateLimit: rateLimitAt(seen, now), retryAfterSeconds };
    }
    log = [...seen.slice(count), ...Array.from({ length: count }, () => now)];
  }
}
