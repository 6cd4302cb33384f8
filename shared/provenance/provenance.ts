/** The port that marks results with how they were made, and from what. */
import type { DigitalSourceType } from '../contracts/provenance.ts';

/** A file that a result was made from. Nothing that identifies it is passed on, such as its name or address. */
export interface OriginInput {
  /** Whether the result is a changed form of this file, instead of only being influenced by it. */
  readonly isEdited: boolean;
  readonly contentType?: string | undefined;
  /** The content, whose own credentials are then kept if they are small; absent if it is not available or too large. */
  readonly bytes?: Uint8Array | undefined;
}

/** How a result was made. */
export interface Origin {
  readonly digitalSourceType: DigitalSourceType;
  /** The engine and the model: `fal/nano-banana-2`. */
  readonly softwareAgent: string;
  /** When the result was made, in ISO 8601. */
  readonly at: string;
  readonly inputs: readonly OriginInput[];
}

export interface Marked {
  /** The name in the certificate of the signer. */
  readonly signedBy: string;
  /** Whether the service is configured to add a time stamp, but none could be obtained. */
  readonly isUnstamped: boolean;
}

export interface MarkedFile extends Marked {
  readonly bytes: Uint8Array;
}

export interface LargeFileFacts {
  readonly contentType: string;
  /** The size of the file, if it is known beforehand. */
  readonly bytes?: number | undefined;
}

/** A file that is marked while it is copied. */
export interface LargeFile {
  /** Takes the next bytes of the file, and returns those that can be passed on at once. */
  take(chunk: Uint8Array): readonly Uint8Array[];
  /** The rest of the file once it is marked. Can be called again if it fails. @throws {Error} if it cannot be marked */
  marked(origin: Origin): Promise<Marked & { readonly rest: readonly Uint8Array[] }>;
  /** The rest of the file if it is not marked, with the credentials that it already had. */
  unmarked(): readonly Uint8Array[];
}

export interface Provenance {
  /** The size of the largest file that is marked in memory; 0 if no file is marked. */
  readonly maxBytes: number;
  /** Whether results that cannot be marked are stored unmarked, instead of failing their task. */
  readonly allowsUnmarked: boolean;
  /**
   * Marks a file; credentials that it already contains are kept. @throws {UnmarkableFile} or another error, if the file is
   * not the cause
   */
  mark(file: Uint8Array, contentType: string, origin: Origin): Promise<MarkedFile>;
  /** Has a larger file marked. Files of types that must be in memory as a whole are marked one after the other. */
  markLarge<Result>(facts: LargeFileFacts, use: (file: LargeFile) => Promise<Result>): Promise<Result>;
}
