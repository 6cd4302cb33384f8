/** Files to be measured, independent of where their bytes come from. */

/** A file whose parts can be read in any order. */
export interface SeekableFile {
  readonly access: 'ranges';
  readonly size: number;
  /** The bytes from `start` up to, but excluding, `end`. */
  read(start: number, end: number): Promise<Uint8Array>;
}

/** A file that can be read only once, from the beginning. */
export interface StreamedFile {
  readonly access: 'stream';
  /** The size that the server announced. */
  readonly size?: number;
  readonly body: AsyncIterable<Uint8Array>;
  close(): void;
}

export type ReadableFile = SeekableFile | StreamedFile;
