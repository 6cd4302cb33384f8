/** Checks whether images are complete, by their structure. */
import { bytesAt, reaches, type Walk } from './file-walk.ts';

const headerBytes = 8;
/** Limits the work on a malicious file; a file with more parts counts as complete. */
const maxParts = 100_000;

/** Checks a WebP; `size` is the size in its header. */
export function* webpIsComplete(size: number): Walk<boolean> {
  const form = (yield* bytesAt(headerBytes, 4)).toString('latin1');
  return form === 'WEBP' ? yield* reaches(headerBytes + size, 12) : true;
}

/** Checks a PNG; data after its last chunk does not belong to the image. */
export function* pngIsComplete(): Walk<boolean> {
  let at = 8;
  for (let parts = 0; parts < maxParts; parts += 1) {
    const header = yield* bytesAt(at, headerBytes);
    if (header.length < headerBytes) return false;
    if (header.toString('latin1', 4) === 'IEND') return true;
    at += headerBytes + header.readUInt32BE(0) + 4;
  }
  return true;
}

const blockBytes = 65_536;

/** Finds the end marker, which cannot occur within encoded data. */
function* jpegDataEnds(from: number): Walk<boolean> {
  let last = 0;
  for (let at = from; ; at += blockBytes) {
    const block = yield* bytesAt(at, blockBytes);
    if ((last === 0xff && block[0] === 0xd9) || block.includes('ffd9', 0, 'hex')) return true;
    if (block.length < blockBytes) return false;
    last = block.at(-1) ?? 0;
  }
}

/** The segments before the encoded data may contain whole images, so they are skipped. */
export function* jpegIsComplete(head: Buffer): Walk<boolean> {
  let [at, segment] = [2, head.subarray(2, 6)];
  for (let parts = 0; parts < maxParts; parts += 1) {
    if (segment.length < 4) return false;
    at += 2 + segment.readUInt16BE(2);
    // Other problems are reported by the image reader.
    if (segment[0] !== 0xff || at < head.length) return true;
    if (segment[1] === 0xda) return yield* jpegDataEnds(at);
    segment = yield* bytesAt(at, 4);
  }
  return true;
}
