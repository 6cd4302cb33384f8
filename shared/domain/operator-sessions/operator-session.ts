/** Stores operators' sessions, which end after half an hour without a request, and after eight hours at the latest. */
import * as z from 'zod';
import { operatorRequestsPerMinute } from '../../contracts/limits.ts';
import { once } from '../../contracts/once.ts';
import { type OperatorRole, operatorRoles } from '../../contracts/operator-roles.ts';
import { type Action, ConditionFailed, type Item, type Table } from '../../platform/dynamo-table.ts';
import { indexes, operatorSessionsOwner } from '../index-keys.ts';
import { expiryAttribute, operatorSessionKey } from '../keys.ts';
import { emptyLog, rateLimitAt, windowMs } from '../rate-limit.ts';
import { endIfLive } from '../sessions/session-store.ts';
import { parseRow } from '../stored-row.ts';

export const operatorSessionHours = 8;
const operatorIdleMinutes = 30;

const hoursMs = operatorSessionHours * 3_600_000;
const idleMs = operatorIdleMinutes * 60_000;

export interface OperatorSession {
  readonly sessionId: string;
  /** The operator's id at the identity provider, which never changes. */
  readonly operatorId: string;
  readonly email: string;
  /** The role that the operator's groups gave them when they logged in. */
  readonly role: OperatorRole;
  readonly createdAt: number;
  readonly userAgent: string;
  /** The key of the last view that it began, which ends with it. */
  readonly viewDigest?: string;
}

const OperatorSessionRow = once(() =>
  z.object({
    sessionId: z.string(),
    operatorId: z.string(),
    email: z.string(),
    role: z.enum(operatorRoles),
    createdAt: z.int(),
    userAgent: z.string().default(''),
    viewDigest: z.exactOptional(z.string()),
    lastSeenAt: z.int(),
    endedAt: z.exactOptional(z.int()),
    rl: z.array(z.int()),
  }),
);
export type OperatorSessionRow = z.output<ReturnType<typeof OperatorSessionRow>>;

export const parseOperatorSession = (item: Item): OperatorSessionRow =>
  parseRow('operator’s session', OperatorSessionRow(), item);

const toOperatorSession = ({
  lastSeenAt: _seen,
  endedAt: _live,
  rl: _log,
  ...session
}: OperatorSessionRow): OperatorSession => session;

export const isLiveSession = ({ createdAt, endedAt, lastSeenAt }: OperatorSessionRow, now: number): boolean =>
  endedAt === undefined && createdAt > now - hoursMs && lastSeenAt > now - idleMs;

/** When a session ends if its operator keeps working. */
export const endOfSession = ({ createdAt }: OperatorSession): number => createdAt + hoursMs;

export const insertOperatorSession = (table: Table, digest: string, session: OperatorSession): Promise<unknown> =>
  table.put({
    Item: {
      ...operatorSessionKey(digest),
      ...session,
      lastSeenAt: session.createdAt,
      [indexes.byOwner.pk]: operatorSessionsOwner(session.email),
      [indexes.byOwner.sk]: session.sessionId,
      rl: emptyLog(operatorRequestsPerMinute),
      [expiryAttribute]: Math.ceil(endOfSession(session) / 1000),
    },
    ConditionExpression: 'attribute_not_exists(pk)',
  });

type Admission =
  | { readonly status: 'admitted' | 'limited'; readonly session: OperatorSession; readonly resetSeconds: number }
  | { readonly status: 'rejected' };

const standing = (row: OperatorSessionRow, now: number) => ({
  session: toOperatorSession(row),
  resetSeconds: rateLimitAt(row.rl, now, operatorRequestsPerMinute).resetSeconds,
});

/** Authenticates a request, checks that the session has not ended, and counts the request, all in one write. */
export async function admitOperator(table: Table, digest: string, now: number): Promise<Admission> {
  try {
    const item = await table.update({
      Key: operatorSessionKey(digest),
      UpdateExpression: `SET rl[${operatorRequestsPerMinute}] = :now, lastSeenAt = :now REMOVE rl[0]`,
      ConditionExpression:
        'attribute_exists(pk) AND attribute_not_exists(endedAt) AND createdAt > :begun AND lastSeenAt > :seen AND rl[0] <= :windowStart',
      ExpressionAttributeValues: {
        ':now': now,
        ':begun': now - hoursMs,
        ':seen': now - idleMs,
        ':windowStart': now - windowMs,
      },
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    return { status: 'admitted', ...standing(parseOperatorSession(item), now) };
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    const row = error.item && parseOperatorSession(error.item);
    return row && isLiveSession(row, now) ? { status: 'limited', ...standing(row, now) } : { status: 'rejected' };
  }
}

/** Ties a new view to the session that begins it; fails if that has ended, or has begun another one meanwhile. */
export const tieView = (digest: string, view: string, earlier: string | undefined): Action => ({
  Update: {
    Key: operatorSessionKey(digest),
    UpdateExpression: 'SET viewDigest = :view',
    ConditionExpression: `attribute_exists(pk) AND attribute_not_exists(endedAt) AND ${
      earlier === undefined ? 'attribute_not_exists(viewDigest)' : 'viewDigest = :earlier'
    }`,
    ExpressionAttributeValues: { ':view': view, ...(earlier !== undefined && { ':earlier': earlier }) },
  },
});

/**
 * Ends a session and the view that it began; false if it had already ended. The view ends even then, because the second
 * write of an earlier attempt may have been lost.
 */
export async function endOperatorSession(table: Table, digest: string, now: number): Promise<boolean> {
  try {
    const item = await table.update({
      Key: operatorSessionKey(digest),
      UpdateExpression: 'SET endedAt = if_not_exists(endedAt, :now)',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':now': now },
      ReturnValues: 'ALL_OLD',
    });
    const before = parseOperatorSession(item);
    if (before.viewDigest !== undefined) await endIfLive(table, before.viewDigest, now);
    return isLiveSession(before, now);
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}
