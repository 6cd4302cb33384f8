/** Unwraps the service's responses. */
import { ApiError, UnexpectedResponseError } from './errors.ts';
import type { ErrorCode } from './operations.ts';

export interface ApiResponse<Status extends number, Data> {
  readonly status: Status;
  readonly headers: Headers;
  readonly data: Data;
}

interface Envelope {
  readonly success?: boolean;
  readonly data?: unknown;
  readonly error?: { readonly code: ErrorCode; readonly message: string };
}

function parse(text: string): Envelope | null | undefined {
  try {
    return JSON.parse(text) as Envelope | null;
  } catch {
    return undefined;
  }
}

/** @throws {CallError} */
export function unwrap(response: Response, text: string): ApiResponse<number, unknown> {
  const { headers, ok, status } = response;
  const envelope = parse(text);
  if (ok && envelope?.success === true) return { status, headers, data: envelope.data };
  const { error } = envelope ?? {};
  if (typeof error?.code === 'string') throw new ApiError(response, error);
  throw new UnexpectedResponseError(response, 'is not JSON of the service');
}
