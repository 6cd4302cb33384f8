/** Errors as the interpreter matches them in Retry and Catch: by name, with the message as Cause. */

export class TaskFailure extends Error {
  override readonly name: string;
  constructor(error: string, cause: string) {
    super(cause);
    this.name = error;
  }
}

/** Fails the task of an execution that has ended; the interpreter neither retries nor catches it. */
export class ExecutionOver extends Error {
  override readonly name = 'ExecutionOver';
  readonly isRetryable = false;
  readonly isCatchable = false;
}
