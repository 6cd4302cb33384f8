/** Completes the log-in of an operator: starts a session with the role that their groups give them. */
import type { OperatorLoginProblem } from '../../contracts/operate-login.ts';
import type { OperatorIdentity } from '../../gateways/identity.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Table } from '../../platform/dynamo-table.ts';
import type { Ids } from '../../platform/ids.ts';
import { outsideLine } from '../../platform/outside-text.ts';
import { consumeLogin } from '../sessions/login-store.ts';
import { operatorPages } from '../sessions/return-path.ts';
import { sessionDigest, sessionSecretBytes } from '../sessions/session.ts';
import { roleIn } from './operator-groups.ts';
import { endOperatorSession, insertOperatorSession, type OperatorSession } from './operator-session.ts';
import { endOldestOfOperator } from './operator-session-store.ts';

interface Needs {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly operatorIdentity: OperatorIdentity;
  readonly table: Table;
}

interface Callback {
  readonly code: string | undefined;
  readonly state: string | undefined;
  /** The provider's reason for sending no code. */
  readonly error: string | undefined;
  /** The secret in the browser's cookie, which ties the log-in to that browser. */
  readonly secret: string | undefined;
  readonly userAgent: string;
}

type Completion =
  | { readonly returnTo: string; readonly secret: string; readonly session: OperatorSession }
  | { readonly returnTo: string; readonly problem: OperatorLoginProblem; readonly reason?: string };

export async function completeOperatorLogin(context: Needs, callback: Callback): Promise<Completion> {
  const { clock, ids, operatorIdentity, table } = context;
  const { code, error, secret, state, userAgent } = callback;
  const login = secret && state ? await consumeLogin(table, { secret, state }, clock.now()) : undefined;
  // A log-in to the dashboard does not log an operator in.
  if (!login?.returnTo.startsWith(operatorPages.home)) return { returnTo: operatorPages.home, problem: 'expired' };
  const { nonce, replaces, returnTo, verifier } = login;
  if (!code) return { returnTo, problem: error === 'access_denied' ? 'canceled' : 'failed' };
  const by = await operatorIdentity.identify({ code, nonce, verifier });
  if ('rejected' in by) return { returnTo, problem: 'failed', reason: by.rejected };
  const role = roleIn(by.groups);
  if (!role) return { returnTo, problem: 'not-operator' };
  // Sessions are listed and ended by the address: operators without one would share a list.
  if (by.email === '') return { returnTo, problem: 'no-email' };
  const session = {
    sessionId: ids.next(),
    operatorId: by.subject,
    email: by.email,
    role,
    createdAt: clock.now(),
    userAgent: outsideLine(userAgent, 300),
  };
  const fresh = ids.secret(sessionSecretBytes);
  await insertOperatorSession(table, sessionDigest(fresh), session);
  await endOldestOfOperator(table, by.email, clock.now());
  if (replaces) await endOperatorSession(table, replaces, clock.now());
  return { returnTo, secret: fresh, session };
}
