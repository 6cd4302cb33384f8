/** Checks whether files of the simpler types are complete, by their structure. */
import { bytesAt, reaches, type Walk } from './file-walk.ts';
import { mp3Start } from './mp3-summary.ts';

const headerBytes = 8;
/** Limits the work on a malicious file; a file with more parts counts as complete. */
const maxParts = 100_000;

/** Writers that cannot seek back to the beginning leave the size as zero or as about the largest possible value. */
const isUnknown = (size: number): boolean => size === 0 || size >= 0x7fff_0000;

/** Only the samples are checked, because writers disagree on what the total size includes. */
function* wavIsComplete(): Walk<boolean> {
  let at = 12;
  for (let parts = 0; parts < maxParts; parts += 1) {
    const header = yield* bytesAt(at, headerBytes);
    // A missing data chunk is reported by the reader, not here.
    if (header.length < headerBytes) return true;
    at += headerBytes;
    const size = header.readUInt32LE(4);
    if (header.toString('latin1', 0, 4) === 'data') return isUnknown(size) || (yield* reaches(at + size, at));
    at += size + (size % 2);
  }
  return true;
}

/** Checks a WAV or WebP; `size` is the size in its header. */
export function* riffIsComplete(size: number): Walk<boolean> {
  const form = (yield* bytesAt(headerBytes, 4)).toString('latin1');
  if (form === 'WAVE') return yield* wavIsComplete();
  return form === 'WEBP' ? yield* reaches(headerBytes + size, 12) : true;
}

/** Data after the last chunk does not belong to the image. */
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
    // Other problems are reported by the image reader, not here.
    if (segment[0] !== 0xff || at < head.length) return true;
    if (segment[1] === 0xda) return yield* jpegDataEnds(at);
    segment = yield* bytesAt(at, 4);
  }
  return true;
}

/** Tolerates one frame, because writers disagree on whether to count the first one. */
const toleratedBytes = 2048;

/** An MP3 without a summary counts as complete. */
export function* mp3IsComplete(head: Buffer): Walk<boolean> {
  const { soundAt, end, hasFrames, summary } = yield* mp3Start(head);
  return hasFrames && (yield* reaches(soundAt + (summary?.soundBytes ?? 0) - toleratedBytes, end));
}
