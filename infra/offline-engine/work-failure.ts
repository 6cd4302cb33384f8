/** Why work failed, in the codes of the engine's protocol. */

export type WorkFailureCode = 'PROVIDER_ERROR' | 'PROVIDER_TIMEOUT' | 'DOWNLOAD_FAILED' | 'INPUT_INVALID';

/** Work that failed for a reason a client of the engine can act on; anything else that is thrown is PROVIDER_ERROR. */
export class WorkFailure extends Error {
  readonly code: WorkFailureCode;

  constructor(code: WorkFailureCode, message: string) {
    super(message);
    this.code = code;
  }
}
