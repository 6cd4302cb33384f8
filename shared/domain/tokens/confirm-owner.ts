/** Confirms, by password or a recent log-in, that a session's user is the account's owner. */
import type { Identity } from '../../gateways/identity.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Action, Table } from '../../platform/dynamo-table.ts';
import { Rejection } from '../rejection.ts';
import type { Session } from '../sessions/session.ts';
import { checkSession } from '../sessions/session-store.ts';
import { guessStore } from './guess-store.ts';

interface Needs {
  readonly clock: Clock;
  readonly identity: Pick<Identity, 'checkPassword' | 'isEnabled'>;
  readonly table: Table;
}

/** The requester: a session, and the password if the owner has one. */
interface Owner {
  readonly session: Session;
  /** The key under which the session is stored. */
  readonly digest: string;
  readonly password: string | undefined;
}

/** Whether the password is right. Attempts are counted before the check, so that none goes uncounted. */
async function isConfirmed({ clock, identity, table }: Needs, { session, password }: Owner): Promise<boolean> {
  const { accountId, kind, subject, username } = session;
  if (kind === 'social') return false;
  if (password === undefined) throw new Rejection('unconfirmed', { message: 'Enter the password to confirm.' });
  const guesses = guessStore(table);
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
 * Returns the condition for the transaction that writes what the owner asked for: the session has not ended and, if no
 * password confirms it, its log-in is recent and used the user's identity provider. The user must still be allowed to log
 * in.
 * @throws {Rejection} unconfirmed, wrong-password, rate-limited
 */
export async function confirmOwner(needs: Needs, owner: Owner): Promise<Action> {
  const { session, digest } = owner;
  const confirmation = (await isConfirmed(needs, owner)) ? undefined : session;
  if (confirmation && !(await needs.identity.isEnabled(session.username))) throw new Rejection('unconfirmed');
  return checkSession(digest, needs.clock.now(), confirmation);
}
