import { dashboardSessionContracts } from '../../shared/contracts/dashboard-sessions.ts';
import { readable } from '../../shared/domain/readable-rows.ts';
import { presentSession } from '../../shared/domain/sessions/session-store.ts';
import type { DashboardOperation } from '../../shared/runtime/operation-types.ts';
import { sessionLambda } from '../../shared/runtime/session-lambda.ts';

/** Lists where the account's owner is logged in. */
export const listSessions: DashboardOperation<'listSessions'> = async ({ actor }, { clock, sessions, table }) => {
  const found = await sessions.list(actor.accountId, clock.now());
  return {
    sessions: readable(table, { kind: 'session', idOf: ({ sessionId }) => sessionId }, found, (session) => ({
      ...presentSession(session),
      isCurrent: session.sessionId === actor.session.sessionId,
    })),
  };
};

export const definition = sessionLambda(dashboardSessionContracts.listSessions, listSessions);
