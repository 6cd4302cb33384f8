/**
 * Completes a log-in: starts a new session for the account's owner, and ends the session that it confirms or replaces.
 */
import type { LoginProblem } from '../../contracts/login.ts';
import type { Identified, Identity } from '../../gateways/identity.ts';
import type { Clock } from '../../platform/clock.ts';
import { TransactionCanceled } from '../../platform/dynamo-table.ts';
import type { Ids } from '../../platform/ids.ts';
import { outsideLine } from '../../platform/outside-text.ts';
import { requireEnterable, requireOpen } from '../accounts/closed-account.ts';
import type { Stores } from '../stores.ts';
import { consumeLogin, type Login } from './login-store.ts';
import { homePath } from './return-path.ts';
import { clockSkewMs, type Session, sessionDigest, sessionHours, sessionSecretBytes } from './session.ts';
import { endIfLive, endOldest, endSession, insertSession } from './session-store.ts';
import { accountOf, type SignUpRules } from './sign-up.ts';

interface Needs extends Pick<Stores, 'accounts' | 'catalog' | 'table'> {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly identity: Identity;
}

export interface Callback {
  readonly code: string | undefined;
  readonly state: string | undefined;
  /** The provider's reason for sending no code. */
  readonly error: string | undefined;
  /** The secret in the browser's cookie, which ties the log-in to that browser. */
  readonly secret: string | undefined;
  /** The browser's current session, if any. */
  readonly replaces: string | undefined;
  readonly userAgent: string;
}

export type Completion =
  | { readonly returnTo: string; readonly secret: string; readonly session: Session }
  | { readonly returnTo: string; readonly problem: LoginProblem; readonly reason?: string };

/** Why a successful log-in does not confirm the session. */
function confirmationProblem(
  { confirms, startedAt }: Login,
  { authenticatedAt, loginId, provider, subject }: Identified,
): LoginProblem | undefined {
  if (!confirms) return undefined;
  if (confirms.subject !== subject || confirms.provider !== provider) return 'other-account';
  if (authenticatedAt < startedAt - clockSkewMs || loginId === confirms.loginId) return 'not-recent';
  return undefined;
}

/**
 * Starts the new session and ends the confirmed one in the same transaction; false if that one has already ended, or the
 * account was closed or opened meanwhile.
 */
async function beginSession(
  { clock, table }: Needs,
  digest: string,
  session: Session,
  { confirms }: Login,
): Promise<boolean> {
  const ending = confirms ? [{ Update: endSession(confirms.digest, clock.now()) }] : [];
  const { accountId, isOfClosed } = session;
  const standing = isOfClosed ? requireEnterable(accountId) : requireOpen(accountId);
  try {
    await table.transact([insertSession(digest, session), standing, ...ending]);
    return true;
  } catch (error) {
    if (error instanceof TransactionCanceled && error.failures.slice(1).some(Boolean)) return false;
    throw error;
  }
}

function newSession(
  { clock, ids }: Needs,
  { accountId, isOfClosed }: Pick<Session, 'accountId' | 'isOfClosed'>,
  by: Identified,
  userAgent: string,
): Session {
  const now = clock.now();
  const { authenticatedAt, kind, loginId, provider, subject, username } = by;
  return {
    sessionId: ids.next(),
    accountId,
    kind,
    provider,
    subject,
    username,
    authenticatedAt,
    loginId,
    userAgent: outsideLine(userAgent, 300),
    createdAt: now,
    expiresAt: now + sessionHours * 3_600_000,
    ...(isOfClosed && { isOfClosed }),
  };
}

export async function completeLogin(context: Needs, callback: Callback, rules: SignUpRules): Promise<Completion> {
  const { clock, identity, ids, table } = context;
  const { code, error, replaces, secret, state, userAgent } = callback;
  const login = secret && state ? await consumeLogin(table, { secret, state }, clock.now()) : undefined;
  if (!login) return { returnTo: homePath, problem: 'expired' };
  const { confirms, returnTo } = login;
  if (!code) return { returnTo, problem: error === 'access_denied' ? 'canceled' : 'failed' };
  // The browser may by now have a different session from the one to confirm.
  if (confirms && replaces !== confirms.digest) return { returnTo, problem: 'expired' };

  const by = await identity.identify({ code, nonce: login.nonce, verifier: login.verifier });
  if ('rejected' in by) return { returnTo, problem: 'failed', reason: by.rejected };
  const problem = confirmationProblem(login, by);
  if (problem) return { returnTo, problem };
  if (confirms && !(await identity.isEnabled(by.username))) return { returnTo, problem: 'disabled' };

  const account = confirms ? { accountId: confirms.accountId } : await accountOf(context, by, rules);
  if ('problem' in account) return { returnTo, problem: account.problem };
  const fresh = ids.secret(sessionSecretBytes);
  const session = newSession(context, account, by, userAgent);
  if (!(await beginSession(context, sessionDigest(fresh), session, login))) return { returnTo, problem: 'expired' };
  await endOldest(table, session.accountId, clock.now());
  // Ends the browser's previous session, which may belong to another account.
  if (!confirms && replaces) await endIfLive(table, replaces, clock.now());
  return { returnTo, secret: fresh, session };
}
