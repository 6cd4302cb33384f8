/** How a command of the operator's tool ends when it does not do what was asked. */

/** A sentence for the operator, and the exit code that goes with it: 1 refused, 2 not understood. */
export class ExitError extends Error {
  override readonly name = 'ExitError';
  readonly exitCode: 1 | 2;
  constructor(exitCode: 1 | 2, sentence: string) {
    super(sentence);
    this.exitCode = exitCode;
  }
}

/** The command was understood and can not be done. */
export const refused = (sentence: string): ExitError => new ExitError(1, sentence);

/** The command line itself is wrong. */
export const misused = (sentence: string): ExitError => new ExitError(2, sentence);
