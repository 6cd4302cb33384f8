/** What an operation is: it checks an input, and makes files from it in a process of its own. */
import * as z from 'zod';

/** A file in the engine's folder. */
export interface OutputFile {
  readonly fileName: string;
  readonly contentType: string;
  /** In pixels, of an image. */
  readonly width?: number;
  readonly height?: number;
  /** Of audio. */
  readonly durationSec?: number;
}

/** Where a job's files go, and how its progress is reported. */
export interface WorkContext {
  readonly filesDir: string;
  /** The start of the name of every file that this job writes; no other job has it. */
  readonly fileStem: string;
  /** From 0 to 100. */
  readonly progress: (percent: number) => void;
}

export interface Operation {
  /** What is wrong with an input; undefined when it is valid. */
  complaintAbout(input: unknown): string | undefined;
  /** Makes the files of a valid input. */
  perform(input: unknown, context: WorkContext): Promise<readonly OutputFile[]>;
}

export const operation = <Schema extends z.ZodType>(
  schema: Schema,
  perform: (input: z.output<Schema>, context: WorkContext) => Promise<readonly OutputFile[]>,
): Operation => ({
  complaintAbout(input) {
    const { error } = schema.safeParse(input);
    return error && z.prettifyError(error);
  },
  perform: (input, context) => perform(schema.parse(input), context),
});
