/** What a media file that lies is made of, and what becomes of it. */
import type { MediaName } from './made-media.ts';

/** What becomes of such a file: it is refused with a reason, or lasts so many seconds. */
type Outcome = RegExp | number;

export interface Lie {
  readonly title: string;
  readonly of: MediaName;
  readonly make: (bytes: Buffer, files: ReadonlyMap<MediaName, Buffer>) => Buffer;
  readonly outcome: Outcome;
}

export const tampered = (change: (copy: Buffer) => void) => (bytes: Buffer) => {
  const copy = Buffer.from(bytes);
  change(copy);
  return copy;
};

export const twice = (bytes: Buffer): Buffer => Buffer.concat([bytes, bytes]);
