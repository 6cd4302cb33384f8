/** Lists and ends the sessions of an operator, by the rules of account owners' sessions. */
import { timestamp } from '../../platform/clock.ts';
import type { Table } from '../../platform/dynamo-table.ts';
import { operatorSessionsOwner } from '../index-keys.ts';
import { endAllOwned, endOldestOwned, endOwned, listOwned } from '../sessions/owned-sessions.ts';
import {
  endOfSession,
  endOperatorSession,
  isLiveSession,
  type OperatorSessionRow,
  parseOperatorSession,
} from './operator-session.ts';

const kind = { name: 'operator’s session', parse: parseOperatorSession, isLive: isLiveSession };

/** An operator's sessions that have not ended, newest first. */
export const listOperatorSessions = (table: Table, email: string, now: number): Promise<OperatorSessionRow[]> =>
  listOwned(table, operatorSessionsOwner(email), kind, now);

/** Ends the sessions of an operator, except the most recent ones, of which as many stay open as are allowed. */
export const endOldestOfOperator = (table: Table, email: string, now: number): Promise<void> =>
  endOldestOwned(table, operatorSessionsOwner(email), async (digest) => endOperatorSession(table, digest, now));

/** Ends a session of an operator; false if they do not have it or it has already ended. */
export const endSessionOfOperator = (table: Table, email: string, sessionId: string, now: number): Promise<boolean> =>
  endOwned(table, operatorSessionsOwner(email), sessionId, (digest) => endOperatorSession(table, digest, now));

/** Ends all sessions of an operator, except perhaps one, and returns how many there were. */
export const endAllOfOperator = (table: Table, email: string, now: number, except?: string): Promise<number> =>
  endAllOwned(table, operatorSessionsOwner(email), async (digest) =>
    digest === except ? false : endOperatorSession(table, digest, now),
  );

/** A session as its operator sees it. */
export const presentOperatorSession = (row: OperatorSessionRow) => ({
  sessionId: row.sessionId,
  userAgent: row.userAgent,
  createdAt: timestamp(row.createdAt),
  lastSeenAt: timestamp(row.lastSeenAt),
  endsAt: timestamp(endOfSession(row)),
});
