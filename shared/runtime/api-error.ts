/** Errors as the API publishes them: a code of the contract and a message for the client. */
import { type AnyErrorCode, allErrors } from '../contracts/errors.ts';
import { gatewayErrors } from '../contracts/gateway.ts';
import type { Availability } from '../contracts/operation.ts';
import { Rejection, type RejectionKind } from '../domain/rejection.ts';
import { TableBusy } from '../platform/table-busy.ts';

export interface ApiErrorDetails {
  /** The message to the client; by default, the code's description. */
  readonly message?: string;
  /** Additional text for the log; never shown to the client. */
  readonly internal?: string;
  readonly retryAfterSeconds?: number;
}

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: AnyErrorCode;
  readonly internal: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  constructor(code: AnyErrorCode, { message, internal, retryAfterSeconds }: ApiErrorDetails = {}) {
    super(message ?? allErrors[code].description);
    this.code = code;
    this.internal = internal;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

const codes = {
  invalid: 'VALIDATION_ERROR',
  unauthenticated: 'UNAUTHORIZED',
  forbidden: 'FORBIDDEN',
  unconfirmed: 'CONFIRMATION_REQUIRED',
  'wrong-password': 'WRONG_PASSWORD',
  'not-found': 'NOT_FOUND',
  'rate-limited': 'RATE_LIMITED',
  'insufficient-credits': 'INSUFFICIENT_CREDITS',
  'too-many-tasks': 'MAX_CONCURRENT_TASKS',
  'too-many-tokens': 'TOO_MANY_TOKENS',
  'too-many-orders': 'TOO_MANY_OPEN_ORDERS',
  'switched-off': 'PROVIDER_UNAVAILABLE',
  'engine-unavailable': 'PROVIDER_UNAVAILABLE',
  'dependency-unavailable': 'PROVIDER_UNAVAILABLE',
  overloaded: 'PROVIDER_UNAVAILABLE',
  'download-failed': 'DOWNLOAD_FAILED',
  'generation-failed': 'GENERATION_FAILED',
  'not-cancelable': 'TASK_NOT_CANCELABLE',
  'not-deliverable': 'WEBHOOK_NOT_DELIVERABLE',
  'subscription-active': 'SUBSCRIPTION_ALREADY_ACTIVE',
  'reply-window-closed': 'REPLY_WINDOW_CLOSED',
  'in-progress': 'IDEMPOTENCY_CONFLICT',
  'other-body': 'IDEMPOTENCY_CONFLICT',
} as const satisfies Record<RejectionKind, AnyErrorCode>;

/** The error codes that an operation declares for when it is unavailable. */
type UnavailableCodes = Pick<Availability, 'whenUnavailable' | 'whenSwitchedOff'>;

function codeOf(kind: RejectionKind, { whenUnavailable, whenSwitchedOff }: UnavailableCodes): AnyErrorCode {
  if (kind === 'switched-off' && whenSwitchedOff) return whenSwitchedOff;
  if (whenUnavailable && (kind === 'engine-unavailable' || kind === 'dependency-unavailable')) return whenUnavailable;
  return codes[kind];
}

/** The error as the client sees it; undefined if it is unexpected. */
export function apiErrorOf(error: unknown, rules: UnavailableCodes = {}): ApiError | undefined {
  if (error instanceof Rejection) return new ApiError(codeOf(error.kind, rules), error.details);
  if (error instanceof TableBusy) {
    const { code, ...overloaded } = gatewayErrors.overloaded;
    return new ApiError(code, { ...overloaded, internal: error.message });
  }
  return error instanceof ApiError ? error : undefined;
}
