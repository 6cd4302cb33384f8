/** The actor that makes a call. */
import type { Scope } from '../contracts/scopes.ts';

/** An API token of an account. */
export interface TokenActor {
  readonly kind: 'token';
  readonly accountId: string;
  readonly tokenId: string;
  readonly scopes: readonly Scope[];
}

/** An external party that signs its requests: an engine, a payment gateway, a social network. */
interface GatewayActor {
  readonly kind: 'gateway';
  readonly name: string;
}

export type Actor = TokenActor | GatewayActor | { readonly kind: 'anonymous' };
