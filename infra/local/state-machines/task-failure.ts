/** Errors as the interpreter matches them with Retry and Catch: by name, with the message as Cause. */

export class TaskFailure extends Error {
  override readonly name: string;
  constructor(error: string, cause: string) {
    super(cause);
    this.name = error;
  }
}

/** Ends a task of an ended execution: it tells the interpreter neither to retry nor to catch it. */
export class ExecutionOver extends Error {
  override readonly name = 'ExecutionOver';
  readonly isRetryable = false;
  readonly isCatchable = false;
}
