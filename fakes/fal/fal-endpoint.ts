/** A model of the fake: the inputs that it accepts and the results that it returns. */
import type * as z from 'zod';
import { FalFault } from './fal-faults.ts';

export type ModelInput = Readonly<Record<string, unknown>>;

export interface GeneratedFile {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly width?: number;
  readonly height?: number;
  /** Fields next to the file in the result. */
  readonly facts?: Readonly<Record<string, number>>;
}

export interface WorkOptions {
  /** Aborts when the result is no longer needed. */
  readonly signal: AbortSignal;
  /** The text that transcripts of recordings contain. */
  readonly speech?: string | undefined;
}

/** A model returns either files, in one field of its result, or a document, which is the whole result. */
export type FalEndpoint = {
  /** The documented fields that the service sends, with their limits. */
  readonly input: z.ZodType<ModelInput>;
} & (
  | {
      readonly output: 'image' | 'images' | 'video' | 'audio';
      /** @throws {FalFault} */
      readonly filesOf: (input: ModelInput, options: WorkOptions) => Promise<readonly GeneratedFile[]>;
    }
  | {
      readonly output: 'document';
      /** @throws {FalFault} */
      readonly documentOf: (input: ModelInput, options: WorkOptions) => Promise<object>;
    }
);

/** The content of an input file. @throws {FalFault} */
export async function contentOf(url: unknown, { signal }: WorkOptions): Promise<ReadableStream<Uint8Array>> {
  const response = await fetch(String(url), { signal }).catch(() => undefined);
  if (!response?.ok || !response.body) throw new FalFault('file_download_error');
  return response.body;
}
