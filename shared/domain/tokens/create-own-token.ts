/** Creates a token for an account's owner, who has just confirmed who they are: by password, or by logging in again. */
import { activeTokensLimit } from '../../contracts/limits.ts';
import type { Identity } from '../../gateways/identity.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Session } from '../dashboard/session.ts';
import { checkSession } from '../dashboard/session-store.ts';
import { Rejection } from '../rejection.ts';
import { type CreatedToken, createToken, type NewToken } from './create-token.ts';
import type { GuessStore } from './guess-store.ts';

type Needs = Parameters<typeof createToken>[0] & {
  readonly clock: Clock;
  readonly guesses: GuessStore;
  readonly identity: Pick<Identity, 'checkPassword' | 'isEnabled'>;
};

/** Who asks: a session, and the password where there is one. */
interface Owner {
  readonly session: Session;
  /** What the session is stored under. */
  readonly digest: string;
  readonly password: string | undefined;
}

/** Whether the password confirms the owner. A guess is counted before it is checked, so that none goes uncounted. */
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
  // Only the right password is challenged for more.
  await guesses.clear(accountId);
  return verdict === 'confirmed';
}

/**
 * Without a confirmation by password, this session's own log-in must be recent, through the same provider, in the very
 * transaction that stores the token, and of a user who may still log in. @throws {Rejection} unconfirmed, wrong-password, rate-limited, too-many-tokens
 */
export async function createOwnToken(
  needs: Needs,
  owner: Owner,
  request: Omit<NewToken, 'accountId'>,
): Promise<CreatedToken> {
  const { session, digest } = owner;
  const confirmation = (await isConfirmed(needs, owner)) ? undefined : session;
  if (confirmation && !(await needs.identity.isEnabled(session.username))) throw new Rejection('unconfirmed');
  return createToken(
    needs,
    { ...request, accountId: session.accountId },
    { limit: activeTokensLimit, given: checkSession(digest, needs.clock.now(), confirmation) },
  );
}
