import { dashboardSessionContracts } from '../../shared/contracts/dashboard-sessions.ts';
import { closureOf, isClosed } from '../../shared/domain/accounts/closed-account.ts';
import { unmarkIfOpen } from '../../shared/domain/sessions/closed-session.ts';
import { confirmedUntil } from '../../shared/domain/sessions/session.ts';
import { accounts } from '../../shared/domain/store-ports.ts';
import { timestamp } from '../../shared/platform/clock.ts';
import type { DashboardOperation } from '../../shared/runtime/operation-types.ts';
import { sessionLambda } from '../../shared/runtime/session-lambda.ts';

/** Returns the current session, its account, and the URL of the API. */
export const getSession: DashboardOperation<'getSession', 'accounts'> = async (
  { actor: { digest, session } },
  { accounts, clock, settings, table },
) => {
  const account = await accounts.find(session.accountId);
  if (!account) throw new Error('session references a missing account');
  if (!isClosed(account)) await unmarkIfOpen(table, session, digest);
  const confirmed = confirmedUntil(session);
  return {
    sessionId: session.sessionId,
    accountId: session.accountId,
    name: account.name,
    email: account.email,
    kind: session.kind,
    provider: session.provider,
    confirmedUntil: confirmed === undefined ? null : timestamp(confirmed),
    expiresAt: timestamp(session.expiresAt),
    isView: session.viewedBy !== undefined,
    features: [...account.features],
    closure: closureOf(account, clock.now()) ?? null,
    apiUrl: settings.apiUrl,
    pixSandboxUrl: settings.pixSandboxUrl === 'none' ? null : settings.pixSandboxUrl,
  };
};

export const definition = sessionLambda(dashboardSessionContracts.getSession, getSession, { accounts });
