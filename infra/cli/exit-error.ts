/** The errors that end a command with an exit code. */

/** An error for the operator: a sentence and the exit code (1: rejected, 2: invalid command line). */
export class ExitError extends Error {
  override readonly name = 'ExitError';
  readonly exitCode: 1 | 2;
  constructor(exitCode: 1 | 2, sentence: string) {
    super(sentence);
    this.exitCode = exitCode;
  }
}

/** The command is valid but cannot be executed. */
export const commandFailed = (sentence: string): ExitError => new ExitError(1, sentence);

/** The command line is invalid. */
export const usageError = (sentence: string): ExitError => new ExitError(2, sentence);
