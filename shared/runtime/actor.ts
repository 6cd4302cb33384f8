/** Who makes a call: a token, a session, an operator, an external party, or an anonymous client. */
import type { Scope } from '../contracts/scopes.ts';
import type { OperatorSession } from '../domain/operator-sessions/operator-session.ts';
import type { Session } from '../domain/sessions/session.ts';

/** An API token of an account. */
export interface TokenActor {
  readonly kind: 'token';
  /** The account that owns the token, or its test account if the token is a test token. */
  readonly accountId: string;
  readonly tokenId: string;
  readonly scopes: readonly Scope[];
  /** How many credits the tasks of a calendar month (UTC) may cost; undefined if there is no cap. */
  readonly monthlyCreditCap: number | undefined;
}

/** The owner of an account, logged in to the dashboard. */
export interface SessionActor {
  readonly kind: 'session';
  readonly accountId: string;
  readonly session: Session;
  /** The key under which the session is stored. */
  readonly digest: string;
}

/** A person who operates the service. */
export interface OperatorActor extends Pick<OperatorSession, 'operatorId' | 'email' | 'role'> {
  readonly kind: 'operator';
  readonly session: OperatorSession;
  /** The key under which the session is stored. */
  readonly digest: string;
}

/** An external party that signs its requests: an engine, a payment gateway or a social network. */
interface GatewayActor {
  readonly kind: 'gateway';
  readonly name: string;
}

export type Actor = TokenActor | SessionActor | OperatorActor | GatewayActor | { readonly kind: 'anonymous' };
