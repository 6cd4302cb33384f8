/** The two ways in which a request ends before its operation has: refused, or answered by an earlier answer. */
import { type ErrorCode, errors } from '../contracts/errors.ts';
import type { StoredResponse } from '../domain/idempotency/idempotency.ts';

export interface RefusalDetails {
  /** What the client reads; by default the code's own description. */
  readonly message?: string;
  readonly retryAfterSeconds?: number;
}

/** An expected refusal: a code of the contract, and words for the client. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | undefined;
  constructor(code: ErrorCode, { message, retryAfterSeconds }: RefusalDetails = {}) {
    super(message ?? errors[code].description);
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The request's key stands for an answer that was already given. */
export class Replay extends Error {
  override readonly name = 'Replay';
  readonly response: StoredResponse;
  constructor(response: StoredResponse) {
    super('answered before');
    this.response = response;
  }
}
