/** A dashboard session: who logged in, when and how, and until when the log-in counts as recent. */
import type { IdentityKind } from '../../contracts/identity-kinds.ts';
import { Rejection } from '../rejection.ts';
import { secretDigest } from '../secret-digest.ts';

export interface Session {
  readonly sessionId: string;
  readonly accountId: string;
  readonly kind: IdentityKind;
  /** The provider through which the owner logged in; `password` for passwords. */
  readonly provider: string;
  /** The owner at the identity provider: an id that never changes, and the user name for checking a password. */
  readonly subject: string;
  readonly username: string;
  /** When the owner last authenticated, in milliseconds, according to this session's ID token. */
  readonly authenticatedAt: number;
  /** The id of the log-in that issued the ID token. */
  readonly loginId: string;
  readonly userAgent: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Whether the account is closed, so that the session can do nothing but open it again. */
  readonly isOfClosed?: boolean;
  /** The operator who sees the account as its owner does; such a view can only read. */
  readonly viewedBy?: string;
}

/** The rejection of a request whose session does not exist or has ended. */
export const loggedOut = (): Rejection => new Rejection('unauthenticated', { message: 'Log in to continue.' });

export const sessionHours = 12;

/** How many random bytes a session's cookie contains. */
export const sessionSecretBytes = 32;

const form = /^[0-9a-f]{64}$/;

export const isWellFormedSecret = (secret: string): boolean => form.test(secret);

/** The digest under which a session is stored; the cookie's value is never stored. */
export const sessionDigest = secretDigest;

/** How long a log-in through a provider counts as recent, and how far ahead the provider's clock may be. */
export const confirmationMs = 600_000;
export const clockSkewMs = 30_000;

/** Until when a session counts as recently confirmed; undefined for passwords, which are checked each time. */
export const confirmedUntil = ({ kind, authenticatedAt }: Session): number | undefined =>
  kind === 'social' ? authenticatedAt + confirmationMs : undefined;
