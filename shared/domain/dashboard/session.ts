/** A session of the dashboard: who logged in, when, how, and until when that counts. */
import type { IdentityKind } from '../../contracts/identity-kinds.ts';
import { Rejection } from '../rejection.ts';
import { secretDigest } from '../secret-digest.ts';

export interface Session {
  readonly sessionId: string;
  readonly accountId: string;
  readonly kind: IdentityKind;
  /** The provider that the owner logged in through; `password` for passwords. */
  readonly provider: string;
  /** The owner at the identity provider: what never changes, and the name to check a password for. */
  readonly subject: string;
  readonly username: string;
  /** When the owner last proved who they are, in milliseconds, as the ID token of this session says. */
  readonly authenticatedAt: number;
  /** Which log-in the ID token is of. */
  readonly loginId: string;
  readonly userAgent: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** There is no session, or it has ended. */
export const loggedOut = (): Rejection => new Rejection('unauthenticated', { message: 'Log in to continue.' });

export const sessionHours = 12;

/** How many random bytes a session's cookie contains. */
export const sessionSecretBytes = 32;

const form = /^[0-9a-f]{64}$/;

export const isWellFormedSecret = (secret: string): boolean => form.test(secret);

/** The digest that a session is stored under: the cookie's value itself is never stored. */
export const sessionDigest = secretDigest;

/** How long a log-in through a provider counts as a recent confirmation, and how far ahead its clock may be. */
export const confirmationMs = 600_000;
export const clockSkewMs = 30_000;

/** Until when a session counts as recently confirmed; passwords are confirmed by themselves, each time. */
export const confirmedUntil = ({ kind, authenticatedAt }: Session): number | undefined =>
  kind === 'social' ? authenticatedAt + confirmationMs : undefined;
