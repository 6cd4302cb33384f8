/** Why the domain rejects a request: the HTTP layer maps each kind to an error of the API. */

export type RejectionKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'unconfirmed'
  | 'wrong-password'
  | 'not-found'
  | 'rate-limited'
  | 'insufficient-credits'
  | 'too-many-tasks'
  | 'too-many-tokens'
  | 'too-many-orders'
  | 'switched-off'
  | 'engine-unavailable'
  | 'dependency-unavailable'
  | 'overloaded'
  | 'download-failed'
  | 'generation-failed'
  | 'not-cancelable'
  | 'not-deliverable'
  | 'subscription-active'
  | 'reply-window-closed'
  | 'in-progress'
  | 'other-body';

export interface RejectionDetails {
  /** The message for the client; by default, the description of the error. */
  readonly message?: string;
  /** Additional text for the log; never shown to the client. */
  readonly internal?: string;
  /** The number of whole seconds after which the request may succeed. */
  readonly retryAfterSeconds?: number;
}

/** An expected rejection. Functions document which kinds they throw as `@throws {Rejection} forbidden`. */
export class Rejection extends Error {
  override readonly name = 'Rejection';
  readonly kind: RejectionKind;
  readonly details: RejectionDetails;
  constructor(kind: RejectionKind, details: RejectionDetails = {}) {
    super(details.message ?? kind);
    this.kind = kind;
    this.details = details;
  }
}

/** The rejection of a message whose signature is wrong. */
export const wrongSignature = (): Rejection =>
  new Rejection('unauthenticated', { message: 'The signature is missing, wrong or too old.' });
