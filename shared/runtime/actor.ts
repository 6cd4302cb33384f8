/** The actor that makes a call. */
import type { Scope } from '../contracts/scopes.ts';

/** An API token of an account. */
export interface TokenActor {
  readonly kind: 'token';
  readonly accountId: string;
  readonly tokenId: string;
  readonly scopes: readonly Scope[];
}

/** A person who is signed in to the dashboard. */
interface SessionActor {
  readonly kind: 'session';
  readonly accountId: string;
  readonly userId: string;
}

/** An external party that signs its requests: an engine, a payment gateway, a social network. */
interface GatewayActor {
  readonly kind: 'gateway';
  readonly name: string;
}

export type Actor = TokenActor | SessionActor | GatewayActor | { readonly kind: 'anonymous' };
