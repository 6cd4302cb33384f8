/** The actor that makes a call. */
import type { Scope } from '../contracts/scopes.ts';
import type { Session } from '../domain/dashboard/session.ts';

/** An API token of an account. */
export interface TokenActor {
  readonly kind: 'token';
  readonly accountId: string;
  readonly tokenId: string;
  readonly scopes: readonly Scope[];
}

/** The logged-in owner of an account, in the dashboard. */
export interface SessionActor {
  readonly kind: 'session';
  readonly accountId: string;
  readonly session: Session;
  /** What the session is stored under. */
  readonly digest: string;
}

/** An external party that signs its requests: an engine, a payment gateway, a social network. */
interface GatewayActor {
  readonly kind: 'gateway';
  readonly name: string;
}

export type Actor = TokenActor | SessionActor | GatewayActor | { readonly kind: 'anonymous' };
