/** Files whose bytes can be read, wherever they are. */

/** Its parts can be read in any order. */
export interface SeekableFile {
  readonly access: 'ranges';
  readonly size: number;
  /** The bytes from `start` up to `end`, which is not included. */
  read(start: number, end: number): Promise<Uint8Array>;
}

/** It can be read once, from its beginning. */
export interface StreamedFile {
  readonly access: 'stream';
  /** As announced. */
  readonly size?: number;
  readonly body: AsyncIterable<Uint8Array>;
  close(): void;
}

export type ReadableFile = SeekableFile | StreamedFile;
