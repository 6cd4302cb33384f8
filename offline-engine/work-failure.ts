/** The failure of a job, with a code of the engine's protocol. */

export type WorkFailureCode = 'PROVIDER_ERROR' | 'PROVIDER_TIMEOUT' | 'DOWNLOAD_FAILED' | 'INPUT_INVALID';

/** What is wrong with an input file; the service knows these reasons. */
export interface InputProblem {
  readonly field: string;
  readonly reason: 'unreachable' | 'too-large' | 'unreadable' | 'too-long' | 'too-short' | 'no-subject' | 'empty-mask';
}

/** A failure that a client of the engine can act on; any other error becomes PROVIDER_ERROR. */
export class WorkFailure extends Error {
  readonly code: WorkFailureCode;
  readonly problem: InputProblem | undefined;

  constructor(code: WorkFailureCode, message: string, problem?: InputProblem) {
    super(message);
    this.code = code;
    this.problem = problem;
  }
}
