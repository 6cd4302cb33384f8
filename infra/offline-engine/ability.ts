/** What the engine can make: an ability checks a job's input and knows the work that follows from it. */
import * as z from 'zod';

/** A file in the engine's folder. */
export interface MadeFile {
  readonly fileName: string;
  readonly contentType: string;
  /** In pixels, of a picture. */
  readonly width?: number;
  readonly height?: number;
  /** Of a sound. */
  readonly durationSec?: number;
}

export interface WorkContext {
  readonly filesDir: string;
  /** Begins the names of all files that this job writes; no other job has it. */
  readonly fileStem: string;
  readonly signal: AbortSignal;
  /** From 0 to 100. */
  readonly progress: (percent: number) => void;
}

export type Work = (context: WorkContext) => Promise<readonly MadeFile[]>;

export interface Ability {
  /** The work that an input asks for, or a sentence saying what is wrong with the input. */
  prepare(input: unknown): Work | string;
}

export const ability = <Schema extends z.ZodType>(
  schema: Schema,
  make: (request: z.output<Schema>, context: WorkContext) => Promise<readonly MadeFile[]>,
): Ability => ({
  prepare(input) {
    const parsed = schema.safeParse(input);
    return parsed.success ? (context) => make(parsed.data, context) : z.prettifyError(parsed.error);
  },
});

export type WorkFailureCode = 'PROVIDER_ERROR' | 'PROVIDER_TIMEOUT' | 'DOWNLOAD_FAILED' | 'INPUT_INVALID';

/** Work that failed for a reason a client of the engine can act on; anything else that is thrown is PROVIDER_ERROR. */
export class WorkFailure extends Error {
  readonly code: WorkFailureCode;

  constructor(code: WorkFailureCode, message: string) {
    super(message);
    this.code = code;
  }
}
