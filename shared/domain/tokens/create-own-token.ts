/** Creates a token for an account's owner, who has just confirmed their identity by password or by logging in again. */
import { activeTokensLimit } from '../../contracts/limits.ts';
import type { Identity } from '../../gateways/identity.ts';
import type { Clock } from '../../platform/clock.ts';
import { Rejection } from '../rejection.ts';
import type { Session } from '../sessions/session.ts';
import { checkSession } from '../sessions/session-store.ts';
import type { GuessStore } from './guess-store.ts';
import { type IssuedToken, issueToken, type NewToken } from './issue-token.ts';

type Needs = Parameters<typeof issueToken>[0] & {
  readonly clock: Clock;
  readonly guesses: GuessStore;
  readonly identity: Pick<Identity, 'checkPassword' | 'isEnabled'>;
};

/** The requester: a session, and the password if the owner has one. */
interface Owner {
  readonly session: Session;
  /** The key under which the session is stored. */
  readonly digest: string;
  readonly password: string | undefined;
}

/** Whether the password is right. Attempts are counted before the check, so that none goes uncounted. */
async function isConfirmed({ clock, guesses, identity }: Needs, { session, password }: Owner): Promise<boolean> {
  const { accountId, kind, subject, username } = session;
  if (kind === 'social') return false;
  if (password === undefined) throw new Rejection('unconfirmed', { message: 'Enter the password to confirm.' });
  const rejection = await guesses.count(accountId, clock.now());
  if (rejection) {
    const message = 'Too many passwords were tried: wait before trying again.';
    throw new Rejection('rate-limited', { message, ...rejection });
  }
  const verdict = await identity.checkPassword({ username, subject, password });
  if (verdict === 'rejected') throw new Rejection('wrong-password');
  if (verdict === 'reset-required') {
    throw new Rejection('unconfirmed', { message: 'The password must be reset: log in again.' });
  }
  // The password is right, even if the provider asks for a further challenge, so the attempts are reset.
  await guesses.clear(accountId);
  return verdict === 'confirmed';
}

/**
 * Without a password, the transaction that stores the token requires that this session's own log-in is recent, was
 * through the same provider, and belongs to a user who may still log in. @throws {Rejection} unconfirmed,
 * wrong-password, rate-limited, too-many-tokens
 */
export async function createOwnToken(
  needs: Needs,
  owner: Owner,
  request: Omit<NewToken, 'accountId'>,
): Promise<IssuedToken> {
  const { session, digest } = owner;
  const confirmation = (await isConfirmed(needs, owner)) ? undefined : session;
  if (confirmation && !(await needs.identity.isEnabled(session.username))) throw new Rejection('unconfirmed');
  return issueToken(
    needs,
    { ...request, accountId: session.accountId },
    { limit: activeTokensLimit, given: checkSession(digest, needs.clock.now(), confirmation) },
  );
}
