/**
 * Responses that the HTTP gateway sends itself, without a function: the same messages and envelope on AWS and locally.
 */
import type { ErrorCode } from './errors.ts';
import { bodyBytesLimit } from './limits.ts';

interface GatewayError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly retryAfterSeconds?: number;
}

export const gatewayErrors = {
  malformed: { code: 'VALIDATION_ERROR', message: 'The request is not valid HTTP.' },
  missingRoute: { code: 'NOT_FOUND', message: 'There is no such path or method.' },
  tooLarge: { code: 'VALIDATION_ERROR', message: `The body must be at most ${bodyBytesLimit / 1024} KiB.` },
  unsupportedType: { code: 'VALIDATION_ERROR', message: 'Content-Type must be application/json' },
  throttled: {
    code: 'RATE_LIMITED',
    message: 'The service is receiving too many requests: wait for the number of seconds in Retry-After.',
    retryAfterSeconds: 1,
  },
  /** The error when Lambda cannot invoke a function, usually because the concurrency limit is reached. */
  overloaded: {
    code: 'PROVIDER_UNAVAILABLE',
    message: 'The service is overloaded: wait for the number of seconds in Retry-After and send the request again.',
    retryAfterSeconds: 2,
  },
  /** The error of the web application firewall, on stages that have one. */
  blocked: { code: 'FORBIDDEN', message: 'The firewall blocked the request.' },
  failed: { code: 'INTERNAL_ERROR', message: 'An internal error occurred.' },
} as const satisfies Record<string, GatewayError>;

export type GatewayErrorName = keyof typeof gatewayErrors;

/** The headers of every response that has the envelope. */
export const envelopeHeaders = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
} as const;
