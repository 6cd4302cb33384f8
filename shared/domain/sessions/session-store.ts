/** Stores sessions: starts, lists and ends them. */
import { sessionRequestsPerMinute } from '../../contracts/limits.ts';
import { timestamp } from '../../platform/clock.ts';
import { type Action, ConditionFailed, type Table } from '../../platform/dynamo-table.ts';
import { indexes, sessionsOwner, viewsOwner } from '../index-keys.ts';
import { expiryAttribute, sessionKey } from '../keys.ts';
import { emptyLog } from '../rate-limit.ts';
import { isLive, live, parseSession, toSession } from './admit-session.ts';
import { endAllOwned, endOldestOwned, endOwned, listOwned } from './owned-sessions.ts';
import { clockSkewMs, confirmationMs, loggedOut, type Session } from './session.ts';

export interface SeenSession extends Session {
  readonly lastSeenAt: number;
}

export interface SessionStore {
  /** An account's sessions that have not ended, newest first, at most as many as it can have. */
  list(accountId: string, now: number): Promise<SeenSession[]>;
  /** Ends a session; false if the account does not have it or it has already ended. */
  end(accountId: string, sessionId: string, now: number): Promise<boolean>;
  /**
   * Ends all sessions of an account, but none that can only open it again, and all views of it. Returns how many sessions
   * there were.
   */
  endAll(accountId: string, now: number): Promise<number>;
}

export const insertSession = (digest: string, { sessionId, accountId, expiresAt, ...session }: Session): Action => ({
  Put: {
    Item: {
      ...sessionKey(digest),
      ...session,
      exp: expiresAt,
      [expiryAttribute]: Math.ceil(expiresAt / 1000),
      rl: emptyLog(sessionRequestsPerMinute),
      [indexes.byOwner.pk]: session.viewedBy === undefined ? sessionsOwner(accountId) : viewsOwner(accountId),
      [indexes.byOwner.sk]: sessionId,
    },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
});

/** Ends a session; fails if it has already ended. */
export const endSession = (digest: string, now: number) => ({
  Key: sessionKey(digest),
  UpdateExpression: 'SET endedAt = :now',
  ConditionExpression: live,
  ExpressionAttributeValues: { ':now': now },
});

/** Ends a session; false if it has already ended, or a further condition does not hold. */
export async function endIfLive(table: Table, digest: string, now: number, when?: string): Promise<boolean> {
  const ending = endSession(digest, now);
  const conditions = [ending.ConditionExpression, ...(when === undefined ? [] : [when])];
  try {
    await table.update({ ...ending, ConditionExpression: conditions.join(' AND ') });
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}

/** Requires that the session has not ended; with `isConfirmed`, also that its own log-in is recent. */
export const checkSession = (
  digest: string,
  now: number,
  confirmation: Pick<Session, 'provider'> | undefined,
): Action => ({
  ConditionCheck: {
    Key: sessionKey(digest),
    ConditionExpression: confirmation
      ? `${live} AND provider = :provider AND authenticatedAt BETWEEN :earliest AND :latest`
      : live,
    ExpressionAttributeValues: {
      ':now': now,
      ...(confirmation && {
        ':provider': confirmation.provider,
        ':earliest': now - confirmationMs,
        ':latest': now + clockSkewMs,
      }),
    },
  },
});

/** A condition for writes that are allowed only while the session is live. */
export const whileLive = (digest: string) => (now: number) => ({
  check: checkSession(digest, now, undefined),
  unmet: loggedOut,
});

const kind = { name: 'session', parse: parseSession, isLive };

async function list(table: Table, accountId: string, now: number): Promise<SeenSession[]> {
  const rows = await listOwned(table, sessionsOwner(accountId), kind, now);
  return rows.map((row) => ({ ...toSession(row), lastSeenAt: Math.max(row.createdAt, row.rl.at(-1) ?? 0) }));
}

/** Ends the sessions of an account that began before its last log-ins. */
export const endOldest = (table: Table, accountId: string, now: number): Promise<void> =>
  endOldestOwned(table, sessionsOwner(accountId), (digest) => endIfLive(table, digest, now));

async function endAll(table: Table, accountId: string, now: number): Promise<number> {
  await endAllOwned(table, viewsOwner(accountId), (digest) => endIfLive(table, digest, now));
  const end = (digest: string) => endIfLive(table, digest, now, 'attribute_not_exists(isOfClosed)');
  return endAllOwned(table, sessionsOwner(accountId), end);
}

export const sessionStore = (table: Table): SessionStore => ({
  list: (accountId, now) => list(table, accountId, now),
  end: (accountId, sessionId, now) =>
    endOwned(table, sessionsOwner(accountId), sessionId, (digest) => endIfLive(table, digest, now)),
  endAll: (accountId, now) => endAll(table, accountId, now),
});

/** A session as its owner sees it. */
export const presentSession = ({ createdAt, expiresAt, lastSeenAt, provider, sessionId, userAgent }: SeenSession) => ({
  sessionId,
  provider,
  userAgent,
  createdAt: timestamp(createdAt),
  lastSeenAt: timestamp(lastSeenAt),
  expiresAt: timestamp(expiresAt),
});
