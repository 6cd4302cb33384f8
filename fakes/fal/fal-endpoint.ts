/** A model of the fake: the inputs that it accepts and the results that it returns. */
import type * as z from 'zod';

export type ModelInput = Readonly<Record<string, unknown>>;

/** The purpose of an endpoint according to its page, which determines its fields. */
export type FalEndpointKind =
  | 'text-to-image'
  | 'edit'
  | 'background-removal'
  | 'upscale'
  | 'video'
  | 'speech'
  | 'voice-change'
  | 'video-utility'
  | 'transcription';

export interface GeneratedFile {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly width?: number;
  readonly height?: number;
  /** Fields next to the file in the result. */
  readonly facts?: Readonly<Record<string, number>>;
}

/** The requested video, with the rounding of the model. */
export interface RequestedVideo {
  readonly width: number;
  readonly height: number;
  readonly seconds: number;
  readonly hasSound: boolean;
}

/** A model's limits for the files of a field: sides in pixels, ratios of width to height. */
export interface FileLimits {
  readonly kind: 'image' | 'video';
  readonly types: readonly string[];
  readonly maxBytes: number;
  readonly minSide: number;
  readonly maxSide: number;
  readonly ratios: readonly [narrowest: number, widest: number];
}

/** A measured input file; a video's duration is that of its frames. */
export interface OpenedFile {
  readonly width: number;
  readonly height: number;
  readonly seconds: number;
  readonly hasSound: boolean;
}

export interface DocumentOptions {
  readonly signal: AbortSignal;
  /** The text that is spoken in recordings. */
  readonly speech?: string | undefined;
}

export interface FalEndpoint {
  readonly kind: FalEndpointKind;
  readonly input: z.ZodType<ModelInput>;
  /** The field of the result that contains a file or a list of files. */
  readonly output: 'image' | 'images' | 'video' | 'audio' | 'none';
  /** Further fields of the result. */
  readonly extras: Readonly<Record<string, unknown>>;
  /** The limits of input files, by the fields with their URLs. */
  readonly files?: Readonly<Record<string, FileLimits>>;
  /** For video models: the video to generate; `files` contains the first file of each field. @throws {FalFault} */
  readonly videoOf?: (input: ModelInput, files: ReadonlyMap<string, OpenedFile>) => RequestedVideo;
  /** For audio models: the duration in seconds; may download the input file. @throws {FalFault} */
  readonly soundOf?: (input: ModelInput, signal: AbortSignal) => number | Promise<number>;
  /** For models that edit their input files: the results. @throws {FalFault} */
  readonly filesOf?: (input: ModelInput, signal: AbortSignal) => Promise<readonly GeneratedFile[]>;
  /** For models that respond without files: the whole result. @throws {FalFault} */
  readonly documentOf?: (input: ModelInput, options: DocumentOptions) => Promise<object>;
}
