import { dashboardSessionContracts } from '../../shared/contracts/dashboard-sessions.ts';
import { endIfLive } from '../../shared/domain/sessions/session-store.ts';
import { identityProvider } from '../../shared/gateways/identity-provider.ts';
import { cookie, sessionCookie } from '../../shared/runtime/cookies.ts';
import type { DashboardOperation } from '../../shared/runtime/operation-types.ts';
import { sessionLambda } from '../../shared/runtime/session-lambda.ts';

/** Ends the current session and deletes its cookie. */
export const logOut: DashboardOperation<'logOut', 'identity'> = async ({ actor, cookies }, context) => {
  const { clock, identity, settings, table } = context;
  await endIfLive(table, actor.digest, clock.now());
  cookies.push(cookie(sessionCookie, '', 0, settings));
  return { logoutUrl: identity.logoutUrl() };
};

export const definition = sessionLambda(dashboardSessionContracts.logOut, logOut, { identity: identityProvider });
