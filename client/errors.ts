/** The errors that a call can throw; if a signal is aborted, it throws the signal's reason instead. */
import { type ErrorCode, type Task, type TaskErrorCode, unusualRetries } from './operations.ts';

type Head = Pick<Response, 'status' | 'headers'>;

const isTemporary = (status: number): boolean => status === 429 || status >= 500;

/** The seconds of `Retry-After`, if the response has it. */
export function retryAfterSeconds(headers: Headers): number | undefined {
  const value = headers.get('retry-after') ?? '';
  return /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}

/** A failed call. */
export abstract class CallError extends Error {
  /** Whether the same request, with the same key, can succeed later. */
  readonly retryable: boolean = true;
  /** How long the service asks to wait before another attempt. */
  declare readonly retryAfterSeconds: number | undefined;
}

/** No complete response arrived; `cause` is the error of `fetch`. */
export class ConnectionError extends CallError {
  override readonly name = 'ConnectionError';
  constructor(cause: unknown) {
    // `fetch` throws an error that says only that it failed; the reason is in the error's own cause.
    const causes = [cause, (cause as Error | undefined)?.cause].filter((one) => one instanceof Error);
    super(`No complete response arrived: ${causes.map(({ message }) => message).join(', ')}`, { cause });
  }
}

/** An attempt or a wait took too long. */
export class TimeoutError extends CallError {
  override readonly name = 'TimeoutError';
}

abstract class ResponseError extends CallError {
  declare readonly status: number;
  declare readonly headers: Headers;
  constructor({ status, headers }: Head, message: string) {
    super(message);
    Object.assign(this, { status, headers, retryAfterSeconds: retryAfterSeconds(headers) });
  }
}

/** An error response of the service. */
export class ApiError extends ResponseError {
  override readonly name = 'ApiError';
  override readonly retryable: boolean;
  /** The error code, for decisions in programs. */
  declare readonly code: ErrorCode;
  /** The id of the request, to be quoted to support. */
  declare readonly requestId: string | undefined;
  constructor(head: Head, { code, message }: { code: ErrorCode; message: string }) {
    super(head, message);
    Object.assign(this, { code, requestId: head.headers.get('x-request-id') ?? undefined });
    const unusual = unusualRetries.get(code);
    const isHinted = unusual === 'with Retry-After' && this.retryAfterSeconds !== undefined;
    this.retryable = unusual ? unusual === 'yes' || isHinted : isTemporary(head.status);
  }
}

/** A response that is not the service's, such as a proxy's error page. */
export class UnexpectedResponseError extends ResponseError {
  override readonly name = 'UnexpectedResponseError';
  override readonly retryable: boolean;
  constructor(head: Head, problem: string) {
    super(head, `The response with status ${head.status} ${problem}.`);
    this.retryable = head.status < 300 || isTemporary(head.status);
  }
}

/** The awaited task has failed; its credits were refunded. */
export class TaskFailedError extends Error {
  override readonly name = 'TaskFailedError';
  /** The error code, for decisions in programs. */
  declare readonly code: TaskErrorCode;
  declare readonly task: Task;
  constructor(task: Task) {
    super(task.error?.message);
    Object.assign(this, { code: task.error?.code ?? 'INTERNAL_ERROR', task });
  }
}
