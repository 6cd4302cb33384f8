/** Detects truncated files: those that are shorter than their own structure requires. */
import { jpegIsComplete, mp3IsComplete, pngIsComplete, riffIsComplete } from './file-structures.ts';
import { bytesAt, type Walk } from './file-walk.ts';
import { followFile, followStream } from './follow-walk.ts';
import { mp4IsComplete } from './mp4-structure.ts';

/** Files of unknown types count as complete. */
function* isComplete(): Walk<boolean> {
  const head = yield* bytesAt(0, 8);
  if (head.length < 8) return true;
  const name = head.toString('latin1', 0, 4);
  if (head.toString('latin1', 4) === 'ftyp') return yield* mp4IsComplete(head.readUInt32BE(0));
  if (name === 'RIFF') return yield* riffIsComplete(head.readUInt32LE(4));
  if (name === '\x89PNG') return yield* pngIsComplete();
  if (head.readUInt16BE(0) === 0xffd8) return yield* jpegIsComplete(head);
  const isMp3 = name.startsWith('ID3') || head.readUInt16BE(0) >= 0xffe0;
  return isMp3 ? yield* mp3IsComplete(head) : true;
}

export interface FileExtent {
  /** Adds the next bytes of the file. */
  add(chunk: Uint8Array): void;
  /**
   * Whether a file of this total size is truncated; undefined if that depends on bytes that have not been added yet.
   */
  isTruncated(totalBytes: number): boolean | undefined;
}

const opposite = (isComplete: boolean | undefined): boolean | undefined =>
  isComplete === undefined ? undefined : !isComplete;

/** For files that are read from the beginning. */
export function fileExtent(): FileExtent {
  const { add, result } = followStream(isComplete());
  return { add, isTruncated: (totalBytes) => opposite(result(totalBytes)) };
}

export const isTruncated = (file: Uint8Array): boolean => {
  const extent = fileExtent();
  extent.add(file);
  return extent.isTruncated(file.length) === true;
};

/** For files that are read in parts; undefined if it would take too many reads. */
export const isTruncatedFile = async (file: Parameters<typeof followFile>[1]): Promise<boolean | undefined> =>
  opposite(await followFile(isComplete(), file));
