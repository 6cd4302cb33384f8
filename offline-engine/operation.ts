/** The interface of operations, which validate an input and generate files from it in a separate process. */
import * as z from 'zod';

/** A file in the engine's folder. */
export interface OutputFile {
  readonly fileName: string;
  readonly contentType: string;
  /** The dimensions in pixels, for images and videos. */
  readonly width?: number;
  readonly height?: number;
  /** The duration, for audio and videos. */
  readonly durationSec?: number;
  /** The name of the file with a video's first frame. */
  readonly posterName?: string;
  /** For clips: the relevance from 0 to 1, and the position in the original video, in seconds. */
  readonly clip?: { readonly score: number; readonly startTime: number; readonly endTime: number };
}

/** Where a job writes its files and reports its progress. */
export interface WorkContext {
  readonly filesDir: string;
  /** The unique prefix of the names of all files that this job writes. */
  readonly fileStem: string;
  /** Reports the progress, from 0 to 100. */
  readonly progress: (percent: number) => void;
  /** Resolves when the job may work, after it has downloaded its file; for operations that download first. */
  readonly startWorking: () => Promise<void>;
}

export interface Operation {
  /** The problem of an input; undefined if it is valid. */
  complaintAbout(input: unknown): string | undefined;
  /** Generates the files for a validated input. */
  perform(input: unknown, context: WorkContext): Promise<readonly OutputFile[]>;
  /** Overrides the default time limit of jobs. */
  readonly timeLimitSeconds?: number;
  /** Whether jobs first only download a file from a client's address, which may take long: see startWorking. */
  readonly downloadsFirst?: boolean;
}

export const operation = <Schema extends z.ZodType>(
  schema: Schema,
  perform: (input: z.output<Schema>, context: WorkContext) => Promise<readonly OutputFile[]>,
  options: Pick<Operation, 'timeLimitSeconds' | 'downloadsFirst'> = {},
): Operation => ({
  ...options,
  complaintAbout(input) {
    const { error } = schema.safeParse(input);
    return error && z.prettifyError(error);
  },
  perform: (input, context) => perform(schema.parse(input), context),
});
