/** Errors as the API publishes them: a code of the contract and a message for the client. */
import { type ErrorCode, errors } from '../contracts/errors.ts';
import type { Availability } from '../contracts/operation.ts';
import { Rejection, type RejectionKind } from '../domain/rejection.ts';

export interface ApiErrorDetails {
  /** The message for the client; by default the code's description. */
  readonly message?: string;
  /** Further text for the log; never shown to the client. */
  readonly internal?: string;
  readonly retryAfterSeconds?: number;
}

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly internal: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  constructor(code: ErrorCode, { message, internal, retryAfterSeconds }: ApiErrorDetails = {}) {
    super(message ?? errors[code].description);
    this.code = code;
    this.internal = internal;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

const codes = {
  invalid: 'VALIDATION_ERROR',
  unauthenticated: 'UNAUTHORIZED',
  forbidden: 'FORBIDDEN',
  'not-found': 'NOT_FOUND',
  'rate-limited': 'RATE_LIMITED',
  'insufficient-credits': 'INSUFFICIENT_CREDITS',
  'too-many-tasks': 'MAX_CONCURRENT_TASKS',
  'switched-off': 'PROVIDER_UNAVAILABLE',
  'engine-unavailable': 'PROVIDER_UNAVAILABLE',
  'download-failed': 'DOWNLOAD_FAILED',
  'generation-failed': 'GENERATION_FAILED',
  'not-cancelable': 'TASK_NOT_CANCELABLE',
  'subscription-active': 'SUBSCRIPTION_ALREADY_ACTIVE',
  'in-progress': 'IDEMPOTENCY_CONFLICT',
  'other-body': 'IDEMPOTENCY_CONFLICT',
} as const satisfies Record<RejectionKind, ErrorCode>;

/** Some operations declare other error codes for the time when they are unavailable. */
type UnavailableCodes = Pick<Availability, 'whenEngineDown' | 'whenSwitchedOff'>;

function codeOf(kind: RejectionKind, { whenEngineDown, whenSwitchedOff }: UnavailableCodes): ErrorCode {
  if (kind === 'switched-off' && whenSwitchedOff) return whenSwitchedOff;
  if (kind === 'engine-unavailable' && whenEngineDown) return whenEngineDown;
  return codes[kind];
}

/** The client's view of an error; undefined for an unexpected one. */
export function apiErrorOf(error: unknown, rules: UnavailableCodes = {}): ApiError | undefined {
  if (error instanceof Rejection) return new ApiError(codeOf(error.kind, rules), error.details);
  return error instanceof ApiError ? error : undefined;
}
