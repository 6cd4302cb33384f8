/** Determines the size of a video track as displayed. */
import { unreadable } from './media-fault.ts';
import { childrenOf, pictureEntry } from './mp4-boxes.ts';
import type { Work } from './work.ts';

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

const entryHeadBytes = 78;

/** The size with square pixels, before the track is rotated. */
function codedSize(descriptions: Buffer, work: Work): PictureSize {
  if (descriptions.length < 16 + entryHeadBytes) throw unreadable();
  const size = descriptions.readUInt32BE(8);
  if (size < 8 + entryHeadBytes || 8 + size > descriptions.length) throw unreadable();
  const entry = descriptions.subarray(16, 8 + size);
  const [width, height] = [entry.readUInt16BE(24), entry.readUInt16BE(26)];
  const [shape] = childrenOf(pictureEntry, entry.subarray(entryHeadBytes), work).get('pasp') ?? [];
  const [wide, high] = shape && shape.length >= 8 ? [shape.readUInt32BE(0), shape.readUInt32BE(4)] : [1, 1];
  if (wide === 0 || high === 0 || wide === high) return { width, height };
  return wide > high
    ? { width: Math.round((width * wide) / high), height }
    : { width, height: Math.round((height * high) / wide) };
}

/** The displayed size; `head` is the content of the track's `tkhd`. @throws {MediaFault} unreadable */
export function displayedSize(head: Buffer, descriptions: Buffer, work: Work): PictureSize {
  const { width, height } = codedSize(descriptions, work);
  const matrix = head[0] === 1 ? 52 : 40;
  if (head.length < matrix + 36) throw unreadable();
  const isOnItsSide = head.readInt32BE(matrix) === 0 && head.readInt32BE(matrix + 4) !== 0;
  return isOnItsSide ? { width: height, height: width } : { width, height };
}
