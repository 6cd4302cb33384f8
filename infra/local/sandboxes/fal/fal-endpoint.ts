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
  | 'voice-change';

/** The video that an input asks for, with the rounding of the model. */
export interface RequestedVideo {
  readonly width: number;
  readonly height: number;
  readonly seconds: number;
  readonly hasSound: boolean;
}

export interface FalEndpoint {
  readonly kind: FalEndpointKind;
  readonly input: z.ZodType<ModelInput>;
  /** The field of the result with one file or a list of files. */
  readonly output: 'image' | 'images' | 'video' | 'audio';
  /** Further fields of its result. */
  readonly extras: Readonly<Record<string, unknown>>;
  /** Of video models; may download the input's files. @throws {FalFault} */
  readonly videoOf?: (input: ModelInput, signal: AbortSignal) => RequestedVideo | Promise<RequestedVideo>;
  /** Of audio models, the duration in seconds; may download the input's file. @throws {FalFault} */
  readonly soundOf?: (input: ModelInput, signal: AbortSignal) => number | Promise<number>;
}
