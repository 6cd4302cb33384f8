/** The failure of a job, with a code of the engine's protocol. */

export type WorkFailureCode = 'PROVIDER_ERROR' | 'PROVIDER_TIMEOUT' | 'DOWNLOAD_FAILED' | 'INPUT_INVALID';

/** A failure that a client of the engine can act on; any other error becomes PROVIDER_ERROR. */
export class WorkFailure extends Error {
  readonly code: WorkFailureCode;

  constructor(code: WorkFailureCode, message: string) {
    super(message);
    this.code = code;
  }
}
