/**
 * The port to the identity provider, which manages passwords and other providers' accounts so that the service need
 * not.
 */
import type { IdentityKind } from '../contracts/identity-kinds.ts';

/** Whether the owner must authenticate again, or at least choose an account. */
export type LoginPrompt = 'login' | 'select_account';

export interface LoginRequest {
  readonly state: string;
  readonly nonce: string;
  /** The PKCE challenge, a SHA-256 digest. */
  readonly challenge: string;
  /** The provider whose log-in page is opened directly, without the page to choose one. */
  readonly provider?: string;
  readonly prompt?: LoginPrompt;
}

/** The identity in a verified ID token. */
export interface Identified {
  readonly issuer: string;
  readonly subject: string;
  readonly username: string;
  readonly kind: IdentityKind;
  /** The provider through which the owner logged in; `password` for passwords. */
  readonly provider: string;
  readonly name: string;
  readonly email: string;
  readonly isEmailVerified: boolean;
  /** When the owner authenticated, in milliseconds. */
  readonly authenticatedAt: number;
  /** The id of the log-in; a silent log-in has the id of an earlier one. */
  readonly loginId: string;
  /** The groups that the user belongs to. */
  readonly groups: readonly string[];
}

/** The provider's response does not prove an identity; the reason is for the log. */
export interface LoginRejected {
  readonly rejected: string;
}

export interface PasswordCheck {
  readonly username: string;
  readonly subject: string;
  readonly password: string;
}

export interface Identity {
  /** The URL of the log-in page. */
  loginUrl(request: LoginRequest): string;
  /** The URL that ends the provider's own session and then redirects to the dashboard. */
  logoutUrl(): string;
  identify(response: {
    readonly code: string;
    readonly verifier: string;
    readonly nonce: string;
  }): Promise<Identified | LoginRejected>;
  /**
   * Checks a user's password. `challenged`: the password was right, but the user must prove more or change it, and has
   * to log in again. `reset-required`: no password is checked before it is reset.
   */
  checkPassword(check: PasswordCheck): Promise<'confirmed' | 'rejected' | 'challenged' | 'reset-required'>;
  /** Whether the user may still log in. */
  isEnabled(username: string): Promise<boolean>;
  /** Deletes a user with all that the provider stores about them; can be repeated. */
  deleteUser(username: string): Promise<void>;
}

/** The users of the provider, who can be deleted. */
export type IdentityUsers = Pick<Identity, 'deleteUser'>;

/** The provider of operators, who are not users of the dashboard. */
export type OperatorIdentity = Pick<Identity, 'loginUrl' | 'logoutUrl' | 'identify'>;
