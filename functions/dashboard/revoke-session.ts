import { dashboardSessionContracts } from '../../shared/contracts/dashboard-sessions.ts';
import type { DashboardOperation } from '../../shared/runtime/operation-types.ts';
import { sessionLambda } from '../../shared/runtime/session-lambda.ts';

/** Ends a session of the account. */
export const revokeSession: DashboardOperation<'revokeSession'> = async (
  { actor, fail, params: { sessionId } },
  { clock, sessions },
) => ((await sessions.end(actor.accountId, sessionId, clock.now())) ? { sessionId } : fail('NOT_FOUND'));

export const definition = sessionLambda(dashboardSessionContracts.revokeSession, revokeSession);
