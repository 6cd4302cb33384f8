import { dashboardSessionContracts } from '../../shared/contracts/dashboard-sessions.ts';
import { timestamp } from '../../shared/platform/clock.ts';
import type { DashboardOperation } from '../../shared/runtime/operation-types.ts';
import { sessionLambda } from '../../shared/runtime/session-lambda.ts';

/** Lists where the account's owner is logged in. */
export const listSessions: DashboardOperation<'listSessions'> = async ({ actor }, { clock, sessions }) => {
  const found = await sessions.list(actor.accountId, clock.now());
  return {
    sessions: found.map(({ sessionId, provider, userAgent, createdAt, lastSeenAt, expiresAt }) => ({
      sessionId,
      provider,
      userAgent,
      createdAt: timestamp(createdAt),
      lastSeenAt: timestamp(lastSeenAt),
      expiresAt: timestamp(expiresAt),
      isCurrent: sessionId === actor.session.sessionId,
    })),
  };
};

export const definition = sessionLambda(dashboardSessionContracts.listSessions, listSessions);
