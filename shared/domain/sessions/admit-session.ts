/**
 * Admits a request by session with a single write. Every function that sessions call bundles this module, so it
 * contains nothing else.
 */
import * as z from 'zod';
import { identityKinds } from '../../contracts/identity-kinds.ts';
import { sessionRequestsPerMinute } from '../../contracts/limits.ts';
import { once } from '../../contracts/once.ts';
import { ConditionFailed, type Item, type Table } from '../../platform/dynamo-table.ts';
import { indexes, ownerOfSession } from '../index-keys.ts';
import { sessionKey } from '../keys.ts';
import { type RateLimit, rateLimitAt, windowMs } from '../rate-limit.ts';
import { parseRow } from '../stored-row.ts';
import type { Session } from './session.ts';

type SessionAdmission =
  | { readonly status: 'admitted' | 'limited'; readonly session: Session; readonly rateLimit: RateLimit }
  | { readonly status: 'rejected' };

const SessionRow = once(() =>
  z.object({
    [indexes.byOwner.pk]: z.string(),
    [indexes.byOwner.sk]: z.string(),
    kind: z.enum(identityKinds),
    provider: z.string(),
    subject: z.string(),
    username: z.string(),
    authenticatedAt: z.int(),
    loginId: z.string(),
    userAgent: z.string(),
    createdAt: z.int(),
    exp: z.int(),
    endedAt: z.exactOptional(z.int()),
    isOfClosed: z.exactOptional(z.boolean()),
    viewedBy: z.exactOptional(z.string()),
    rl: z.array(z.int()),
  }),
);
type SessionRow = z.output<ReturnType<typeof SessionRow>>;

export const parseSession = (item: Item): SessionRow => parseRow('session', SessionRow(), item);

export function toSession(row: SessionRow): Session {
  const {
    [indexes.byOwner.pk]: owner,
    [indexes.byOwner.sk]: sessionId,
    exp,
    endedAt: _live,
    rl: _log,
    ...session
  } = row;
  return { sessionId, accountId: ownerOfSession(owner), ...session, expiresAt: exp };
}

export const isLive = ({ endedAt, exp }: SessionRow, now: number): boolean => endedAt === undefined && exp > now;

const standing = (row: SessionRow, now: number) => ({
  session: toSession(row),
  rateLimit: rateLimitAt(row.rl, now, sessionRequestsPerMinute),
});

/** The condition that a session has not ended. */
export const live = 'attribute_exists(pk) AND attribute_not_exists(endedAt) AND exp > :now';

/** Authenticates a request, checks that the session has not ended, and counts the request, all in one write. */
export async function admitSession(table: Table, digest: string, now: number): Promise<SessionAdmission> {
  try {
    const item = await table.update({
      Key: sessionKey(digest),
      UpdateExpression: `SET rl[${sessionRequestsPerMinute}] = :now REMOVE rl[0]`,
      ConditionExpression: `${live} AND rl[0] <= :windowStart`,
      ExpressionAttributeValues: { ':now': now, ':windowStart': now - windowMs },
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    return { status: 'admitted', ...standing(parseSession(item), now) };
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    const row = error.item && parseSession(error.item);
    return row && isLive(row, now) ? { status: 'limited', ...standing(row, now) } : { status: 'rejected' };
  }
}
