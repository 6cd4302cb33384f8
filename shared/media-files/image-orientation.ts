/** Finds the frame of a WebP, and the EXIF orientation of a PNG or WebP where the decoders that apply it look for it. */
import { exifOrientation, upright, withoutPrefix } from './exif-orientation.ts';

/** Limits the work on a malicious file. */
const maxChunks = 100_000;

const headerBytes = 8;

interface Chunk {
  readonly name: string;
  readonly at: number;
  readonly bytes: number;
  /** Where the next chunk begins. */
  readonly end: number;
}

/** A chunk of a PNG, which a checksum follows. */
const pngChunk = (image: Buffer, at: number): Chunk => {
  const bytes = image.readUInt32BE(at);
  return { name: image.toString('latin1', at + 4, at + headerBytes), at, bytes, end: at + headerBytes + bytes + 4 };
};

/** A chunk of a WebP, which is padded to an even size. */
const webpChunk = (image: Buffer, at: number): Chunk => {
  const bytes = image.readUInt32LE(at + 4);
  return { name: image.toString('latin1', at, at + 4), at, bytes, end: at + headerBytes + bytes + (bytes % 2) };
};

/** The first chunk with one of these names; undefined if it may follow in bytes that are missing. */
function findChunk(image: Buffer, from: number, next: typeof pngChunk, names: readonly string[]): Chunk | undefined {
  let at = from;
  for (let chunks = 0; at + headerBytes <= image.length; chunks += 1) {
    if (chunks === maxChunks) throw new Error('the image has too many chunks');
    const chunk = next(image, at);
    if (names.includes(chunk.name)) return chunk;
    at = chunk.end;
  }
  return undefined;
}

/** The orientation in a chunk's data; undefined if some of the data is missing. */
function orientationIn(image: Buffer, { at, bytes }: Chunk): number | undefined {
  const data = image.subarray(at + headerBytes, at + headerBytes + bytes);
  return data.length < bytes ? undefined : exifOrientation(withoutPrefix(data));
}

/** The orientation of a PNG, {@link upright} by default; undefined if it may be in bytes that are missing. */
export function pngOrientation(image: Buffer): number | undefined {
  const found = findChunk(image, 8, pngChunk, ['eXIf', 'IDAT', 'IEND']);
  return found && (found.name === 'eXIf' ? orientationIn(image, found) : upright);
}

const riffBytes = 12;
/** Enough of a frame to see its dimensions. */
const frameHeadBytes = 18;

/**
 * The first frame of a WebP as an image of its own, and whether it is one of an animation; undefined if it may be in
 * bytes that are missing.
 */
export function webpFrame(image: Buffer): { readonly asImage: Buffer; readonly isMoving: boolean } | undefined {
  const found = findChunk(image, riffBytes, webpChunk, ['VP8 ', 'VP8L', 'ANMF']);
  if (!found || found.at + frameHeadBytes > image.length) return undefined;
  const frame = image.subarray(found.at, found.at + frameHeadBytes);
  return { asImage: Buffer.concat([image.subarray(0, riffBytes), frame]), isMoving: found.name === 'ANMF' };
}

/** The flags of a WebP follow the header of its first chunk. */
const flagsAt = 20;
const hasExif = 0x08;

/**
 * The orientation of a WebP, {@link upright} by default; undefined if it may be in bytes that are missing. It usually
 * follows the encoded image.
 */
export function webpOrientation(bytes: Buffer): number | undefined {
  const isExtended = bytes.toString('latin1', 12, 16) === 'VP8X';
  if (!isExtended || ((bytes[flagsAt] ?? 0) & hasExif) === 0) return upright;
  const end = headerBytes + bytes.readUInt32LE(4);
  const image = bytes.subarray(0, end);
  const found = findChunk(image, riffBytes, webpChunk, ['EXIF']);
  if (found) return orientationIn(image, found);
  return bytes.length < end ? undefined : upright;
}
