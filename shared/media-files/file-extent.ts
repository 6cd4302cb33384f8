/** Detects truncated images: those that are shorter than their own structure requires. */
import { jpegIsComplete, pngIsComplete, webpIsComplete } from './file-structures.ts';
import { bytesAt, type Walk } from './file-walk.ts';
import { followStream } from './follow-walk.ts';

/** Files of unknown types count as complete. */
function* isComplete(): Walk<boolean> {
  const head = yield* bytesAt(0, 8);
  if (head.length < 8) return true;
  const name = head.toString('latin1', 0, 4);
  if (name === 'RIFF') return yield* webpIsComplete(head.readUInt32LE(4));
  if (name === '\x89PNG') return yield* pngIsComplete();
  return head.readUInt16BE(0) === 0xffd8 ? yield* jpegIsComplete(head) : true;
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

/** Checks a file that is read from its beginning. */
export function fileExtent(): FileExtent {
  const { add, result } = followStream(isComplete());
  return { add, isTruncated: (totalBytes) => opposite(result(totalBytes)) };
}

export const isTruncated = (file: Uint8Array): boolean => {
  const extent = fileExtent();
  extent.add(file);
  return extent.isTruncated(file.length) === true;
};
