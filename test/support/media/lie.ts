/** The definition of a media file with false declarations, and what the service must find out about it. */
import type { MediaName } from './made-media.ts';

/** The expected outcome: the reason of a rejection, or the real duration in seconds. */
type Outcome = RegExp | number;

export interface Lie {
  readonly title: string;
  readonly of: MediaName;
  readonly make: (bytes: Buffer, files: ReadonlyMap<MediaName, Buffer>) => Buffer;
  readonly outcome: Outcome;
  /** Whether the checksums of its Ogg pages are part of the lie: otherwise each page gets the right one. */
  readonly hasOwnChecksums?: true;
}

export const tampered = (change: (copy: Buffer) => void) => (bytes: Buffer) => {
  const copy = Buffer.from(bytes);
  change(copy);
  return copy;
};

export const twice = (bytes: Buffer): Buffer => Buffer.concat([bytes, bytes]);
