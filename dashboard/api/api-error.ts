/** An error response of the service; its code is `NETWORK` if there was no response. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly retryAfterSeconds: number;
  constructor(status: number, code: string, message: string, retryAfterSeconds = 0) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export const isRateLimit = (error: unknown): error is ApiError => error instanceof ApiError && error.status === 429;

export const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/** Whether the same request may succeed a little later. */
export const isTemporaryError = (error: unknown): boolean =>
  isRateLimit(error) || (error instanceof ApiError && (error.code === 'NETWORK' || error.status >= 500));
