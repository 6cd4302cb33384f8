import { dashboardSessionContracts } from '../../shared/contracts/dashboard-sessions.ts';
import { readable } from '../../shared/domain/readable-rows.ts';
import type { SeenSession } from '../../shared/domain/sessions/session-store.ts';
import { timestamp } from '../../shared/platform/clock.ts';
import type { DashboardOperation } from '../../shared/runtime/operation-types.ts';
import { sessionLambda } from '../../shared/runtime/session-lambda.ts';

const present = ({ sessionId, provider, userAgent, createdAt, lastSeenAt, expiresAt }: SeenSession) => ({
  sessionId,
  provider,
  userAgent,
  createdAt: timestamp(createdAt),
  lastSeenAt: timestamp(lastSeenAt),
  expiresAt: timestamp(expiresAt),
});

/** Lists where the account's owner is logged in. */
export const listSessions: DashboardOperation<'listSessions'> = async ({ actor }, { clock, sessions, table }) => {
  const found = await sessions.list(actor.accountId, clock.now());
  return {
    sessions: readable(table, { kind: 'session', idOf: ({ sessionId }) => sessionId }, found, (session) => ({
      ...present(session),
      isCurrent: session.sessionId === actor.session.sessionId,
    })),
  };
};

export const definition = sessionLambda(dashboardSessionContracts.listSessions, listSessions);
