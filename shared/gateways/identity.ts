/** The port of the identity provider: it knows passwords and other providers' accounts, and this service knows neither. */
import type { IdentityKind } from '../contracts/identity-kinds.ts';

/** Whether the owner must prove again who they are, or at least choose an account. */
export type LoginPrompt = 'login' | 'select_account';

export interface LoginRequest {
  readonly state: string;
  readonly nonce: string;
  /** The PKCE challenge, SHA-256. */
  readonly challenge: string;
  /** Goes straight to this provider. */
  readonly provider?: string;
  readonly prompt?: LoginPrompt;
}

/** Who has logged in, as a verified ID token says. */
export interface Identified {
  readonly issuer: string;
  readonly subject: string;
  readonly username: string;
  readonly kind: IdentityKind;
  /** The provider that the owner logged in through; `password` for passwords. */
  readonly provider: string;
  readonly name: string;
  readonly email: string;
  readonly isEmailVerified: boolean;
  /** When they proved who they are, in milliseconds. */
  readonly authenticatedAt: number;
  /** Which log-in it was: a silent one has the id of an earlier one. */
  readonly loginId: string;
}

/** The provider's response proves nothing; the reason is for the log. */
export interface LoginRejected {
  readonly rejected: string;
}

export interface PasswordCheck {
  readonly username: string;
  readonly subject: string;
  readonly password: string;
}

export interface Identity {
  /** Where a browser logs in. */
  loginUrl(request: LoginRequest): string;
  /** Where a browser is logged out at the provider, which then sends it to the dashboard. */
  logoutUrl(): string;
  identify(response: {
    readonly code: string;
    readonly verifier: string;
    readonly nonce: string;
  }): Promise<Identified | LoginRejected>;
  /**
   * Whether it is the user's password. A user who must prove more than a password, or change it, is not confirmed by it:
   * `challenged` users, whose password was right, log in again; before a required reset no password is checked.
   */
  checkPassword(check: PasswordCheck): Promise<'confirmed' | 'rejected' | 'challenged' | 'reset-required'>;
  /** Whether the user may still log in. */
  isEnabled(username: string): Promise<boolean>;
}
