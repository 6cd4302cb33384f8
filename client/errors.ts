/** What a call can throw, besides the reason of an aborted signal. */
import { type ErrorCode, type Task, type TaskErrorCode, unusualRetries } from './operations.ts';

type Head = Pick<Response, 'status' | 'headers'>;

const isTemporary = (status: number): boolean => status === 429 || status >= 500;

/** The seconds of `Retry-After`, if the response has it. */
export function retryAfterSeconds(headers: Headers): number | undefined {
  const value = headers.get('retry-after') ?? '';
  return /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}

/** A call has failed. */
export abstract class CallError extends Error {
  /** Whether the same request, with the same key, can succeed later. */
  readonly retryable: boolean = true;
  /** How long the service asks to wait before that. */
  readonly retryAfterSeconds: number | undefined = undefined;
}

/** No complete response arrived; `cause` is the error of `fetch`. */
export class ConnectionError extends CallError {
  override readonly name = 'ConnectionError';
  constructor(cause: unknown) {
    // The message of fetch only says that it failed; its own cause says why.
    const causes = [cause, (cause as Error | undefined)?.cause].filter((one) => one instanceof Error);
    super(`No complete response arrived: ${causes.map(({ message }) => message).join(', ')}`, { cause });
  }
}

/** An attempt or a wait took too long. */
export class TimeoutError extends CallError {
  override readonly name = 'TimeoutError';
}

/** An error response of the service. */
export class ApiError extends CallError {
  override readonly name = 'ApiError';
  override readonly retryable;
  override readonly retryAfterSeconds;
  readonly status: number;
  /** The code to branch on. */
  readonly code: ErrorCode;
  readonly headers: Headers;
  /** Quote it when you contact support. */
  readonly requestId: string | undefined;
  constructor({ status, headers }: Head, { code, message }: { code: ErrorCode; message: string }) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
    this.requestId = headers.get('x-request-id') ?? undefined;
    this.retryAfterSeconds = retryAfterSeconds(headers);
    const unusual = Object.hasOwn(unusualRetries, code) ? unusualRetries[code] : undefined;
    const isHinted = unusual === 'with Retry-After' && this.retryAfterSeconds !== undefined;
    this.retryable = unusual ? unusual === 'yes' || isHinted : isTemporary(status);
  }
}

/** A response that is not the service's, such as a proxy's error page. */
export class UnexpectedResponseError extends CallError {
  override readonly name = 'UnexpectedResponseError';
  override readonly retryable;
  override readonly retryAfterSeconds;
  readonly status: number;
  readonly headers: Headers;
  constructor({ status, headers }: Head, problem: string) {
    super(`The response with status ${status} ${problem}.`);
    this.status = status;
    this.headers = headers;
    this.retryAfterSeconds = retryAfterSeconds(headers);
    this.retryable = status < 300 || isTemporary(status);
  }
}

/** The task that was waited for has failed; its credits were refunded. */
export class TaskFailedError extends Error {
  override readonly name = 'TaskFailedError';
  /** The code to branch on. */
  readonly code: TaskErrorCode;
  readonly task: Task;
  constructor(task: Task) {
    super(task.error?.message);
    this.code = task.error?.code ?? 'INTERNAL_ERROR';
    this.task = task;
  }
}
