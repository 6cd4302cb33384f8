/** Stores sessions: starts, lists and ends them. */
import { openSessionsLimit, sessionRequestsPerMinute } from '../../contracts/limits.ts';
import { timestamp } from '../../platform/clock.ts';
import { type Action, ConditionFailed, type Item, type Table } from '../../platform/dynamo-table.ts';
import { indexes, sessionsOwner, viewsOwner } from '../index-keys.ts';
import { expiryAttribute, sessionDigestOf, sessionKey } from '../keys.ts';
import { emptyLog } from '../rate-limit.ts';
import { readable } from '../readable-rows.ts';
import { isLive, live, parseSession, toSession } from './admit-session.ts';
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

const ofOwner = (owner: string) => ({
  IndexName: 'byOwner',
  KeyConditionExpression: '#pk = :pk',
  ExpressionAttributeNames: { '#pk': indexes.byOwner.pk },
  ExpressionAttributeValues: { ':pk': owner },
});

const ofAccount = (accountId: string) => ofOwner(sessionsOwner(accountId));

/** The id of a session's row; the row's key is the digest of the session's secret. */
const listedIdOf = (item: Item): string => String(item[indexes.byOwner.sk]);

async function list(table: Table, accountId: string, now: number): Promise<SeenSession[]> {
  const found: SeenSession[] = [];
  // Ended sessions stay in the index for up to twelve hours, so further pages may be needed.
  for (let offset = 0; found.length < openSessionsLimit; offset += openSessionsLimit) {
    const keys = await table.list(
      { ...ofAccount(accountId), ScanIndexForward: false },
      { limit: openSessionsLimit, offset },
    );
    const items = await table.getMany(keys.map((key) => ({ pk: String(key.pk), sk: String(key.sk) })));
    const rows = readable(table, { kind: 'session', idOf: listedIdOf }, items, parseSession).filter((row) =>
      isLive(row, now),
    );
    found.push(...rows.map((row) => ({ ...toSession(row), lastSeenAt: Math.max(row.createdAt, row.rl.at(-1) ?? 0) })));
    if (keys.length < openSessionsLimit) break;
  }
  return found.toSorted((one, other) => (one.sessionId < other.sessionId ? 1 : -1)).slice(0, openSessionsLimit);
}

/** How many sessions beyond the limit a log-in ends: more than one only where log-ins run at the same time. */
const endedAtOnce = 20;

/**
 * Ends the sessions of an account that began before its last log-ins. Each log-in does so for those that have just
 * become too old, so it need not look further.
 */
export async function endOldest(table: Table, accountId: string, now: number): Promise<void> {
  const keys = await table.list(
    { ...ofAccount(accountId), ScanIndexForward: false },
    { limit: endedAtOnce, offset: openSessionsLimit },
  );
  await Promise.all(keys.map((key) => endIfLive(table, sessionDigestOf(key), now)));
}

async function end(table: Table, accountId: string, sessionId: string, now: number): Promise<boolean> {
  const { ExpressionAttributeNames, ExpressionAttributeValues, ...query } = ofAccount(accountId);
  const [key] = await table.list(
    {
      ...query,
      KeyConditionExpression: `${query.KeyConditionExpression} AND #sk = :sk`,
      ExpressionAttributeNames: { ...ExpressionAttributeNames, '#sk': indexes.byOwner.sk },
      ExpressionAttributeValues: { ...ExpressionAttributeValues, ':sk': sessionId },
    },
    { limit: 1, offset: 0 },
  );
  return key ? endIfLive(table, sessionDigestOf(key), now) : false;
}

async function endAllOf(table: Table, owner: string, now: number): Promise<number> {
  const seen = new Set<string>();
  let ended = 0;
  // Repeats the listing until it finds no new session, because one may be replaced by its successor meanwhile.
  for (let seenBefore = -1; seenBefore < seen.size; ) {
    seenBefore = seen.size;
    for await (const key of table.walk(ofOwner(owner))) {
      const digest = sessionDigestOf(key);
      if (seen.has(digest)) continue;
      seen.add(digest);
      if (await endIfLive(table, digest, now, 'attribute_not_exists(isOfClosed)')) ended += 1;
    }
  }
  return ended;
}

async function endAll(table: Table, accountId: string, now: number): Promise<number> {
  await endAllOf(table, viewsOwner(accountId), now);
  return endAllOf(table, sessionsOwner(accountId), now);
}

export const sessionStore = (table: Table): SessionStore => ({
  list: (accountId, now) => list(table, accountId, now),
  end: (accountId, sessionId, now) => end(table, accountId, sessionId, now),
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
