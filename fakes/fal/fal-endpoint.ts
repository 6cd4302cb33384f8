/** A model of the fake: what it accepts, and what its results contain. */
import type * as z from 'zod';

export type ModelInput = Readonly<Record<string, unknown>>;

/** What an endpoint does according to its page; this determines its fields. */
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
  /** Fields beside the file in the result. */
  readonly facts?: Readonly<Record<string, number>>;
}

/** The video that an input asks for, with the rounding of the model. */
export interface RequestedVideo {
  readonly width: number;
  readonly height: number;
  readonly seconds: number;
  readonly hasSound: boolean;
}

/** What a model accepts of the files of a field: sides in pixels, ratios of width to height. */
export interface FileLimits {
  readonly kind: 'image' | 'video';
  readonly types: readonly string[];
  readonly maxBytes: number;
  readonly minSide: number;
  readonly maxSide: number;
  readonly ratios: readonly [narrowest: number, widest: number];
}

/** A file of an input, as measured: a video by its frames. */
export interface OpenedFile {
  readonly width: number;
  readonly height: number;
  readonly seconds: number;
  readonly hasSound: boolean;
}

export interface DocumentOptions {
  readonly signal: AbortSignal;
  /** What people say in recordings. */
  readonly speech?: string | undefined;
}

export interface FalEndpoint {
  readonly kind: FalEndpointKind;
  readonly input: z.ZodType<ModelInput>;
  /** The field of the result with one file or a list of files. */
  readonly output: 'image' | 'images' | 'video' | 'audio' | 'none';
  /** Further fields of its result. */
  readonly extras: Readonly<Record<string, unknown>>;
  /** The limits of its files, by the fields of their URLs. */
  readonly files?: Readonly<Record<string, FileLimits>>;
  /** Of video models; `files` has the first file of each field. @throws {FalFault} */
  readonly videoOf?: (input: ModelInput, files: ReadonlyMap<string, OpenedFile>) => RequestedVideo;
  /** Of audio models, the duration in seconds; may download the input's file. @throws {FalFault} */
  readonly soundOf?: (input: ModelInput, signal: AbortSignal) => number | Promise<number>;
  /** Of models that only work on the files of their input. @throws {FalFault} */
  readonly filesOf?: (input: ModelInput, signal: AbortSignal) => Promise<readonly GeneratedFile[]>;
  /** Of models that respond without files: the whole result. @throws {FalFault} */
  readonly documentOf?: (input: ModelInput, options: DocumentOptions) => Promise<object>;
}
