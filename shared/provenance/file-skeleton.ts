/**
 * Reduces an image or a sound to its skeleton: a small file of the same type, which the C2PA library can give a manifest
 * without having the content in memory.
 */

import { UnmarkableFile } from '../platform/unmarkable-file.ts';

type File = Uint8Array<ArrayBuffer>;

/** The position of a manifest in a file, including the bytes around it that belong to it. */
export interface Place {
  readonly start: number;
  readonly length: number;
}

export interface Skeleton {
  readonly skeleton: File;
  /** The parts of the whole file, made from the skeleton once it contains a manifest. */
  join(marked: Uint8Array): readonly Uint8Array[];
  /** Where the manifest of a marked skeleton is in the whole file. @throws {Error} if it is not there */
  place(marked: Buffer, manifest: Uint8Array): Place;
}

export const misplaced = (): Error =>
  Object.assign(new Error('a manifest is not where it should be'), { name: 'MarkingFailed' });

/** More parts than any real file has; each takes time to find and to copy. */
const maxParts = 100_000;

/** Counts the parts of a file. The function that it returns is called for each. @throws {UnmarkableFile} */
const countedParts = (): (() => void) => {
  let parts = 0;
  return () => {
    parts += 1;
    if (parts > maxParts) throw new UnmarkableFile('a file could not be marked: it has too many parts');
  };
};

/** How many bytes before and after a manifest belong to it, such as the header and checksum of its chunk. */
interface Frame {
  readonly before: number;
  readonly after: number;
}

/** Finds a manifest in one piece. */
const inOnePiece =
  ({ before, after }: Frame): Skeleton['place'] =>
  (marked, manifest) => {
    const start = marked.indexOf(manifest) - before;
    if (start < 0) throw misplaced();
    return { start, length: before + manifest.length + after };
  };

const bytesOf = (...parts: readonly Uint8Array[]): File => new Uint8Array(Buffer.concat(parts));

/**
 * For formats whose manifest is near the beginning: the skeleton is the beginning of the file, completed so that it is
 * valid on its own.
 */
const closedHead = (file: Buffer, headBytes: number, closing: Buffer, place: Skeleton['place']): Skeleton => ({
  skeleton: bytesOf(file.subarray(0, headBytes), closing),
  join: (marked) => [marked.subarray(0, marked.length - closing.length), file.subarray(headBytes)],
  place,
});

const pngEnd = Buffer.from('0000000049454e44ae426082', 'hex');

/** All chunks of a PNG before the first one with pixels. */
function png(file: Buffer): Skeleton {
  const count = countedParts();
  let at = 8;
  while (at + 12 <= file.length && file.toString('latin1', at + 4, at + 8) !== 'IDAT') {
    count();
    at += 12 + file.readUInt32BE(at);
  }
  return closedHead(file, Math.min(at, file.length), pngEnd, inOnePiece({ before: 8, after: 4 }));
}

/** An empty scan, and the marker of the end of the image. */
const jpegEnd = Buffer.from('ffda0008010100003f00ffd9', 'hex');

/**
 * The marker and headers of a segment with a part of a manifest. All segments but the first repeat the header of the
 * box, which is not included.
 */
const segmentHeaderBytes = 12;
const boxHeaderBytes = 8;

/** Enough of a manifest to find its first segment. */
const knownBytes = 64;

/** Finds a manifest in consecutive segments, each of at most 64 KB (JPEG XT, ISO/IEC 18477-3, annex B). */
function inSegments(marked: Buffer, manifest: Uint8Array): Place {
  const start = marked.indexOf(manifest.subarray(0, knownBytes)) - segmentHeaderBytes;
  if (start < 0) throw misplaced();
  let end = start;
  for (let at = 0; at < manifest.length; ) {
    const headerBytes = segmentHeaderBytes + (at === 0 ? 0 : boxHeaderBytes);
    const next = end + 2 + marked.readUInt16BE(end + 2);
    const part = marked.subarray(end + headerBytes, next);
    if (part.length === 0 || !part.equals(manifest.subarray(at, at + part.length))) throw misplaced();
    at += part.length;
    end = next;
  }
  return { start, length: end - start };
}

/** The application segments at the beginning of a JPEG. */
function jpeg(file: Buffer): Skeleton {
  const count = countedParts();
  let at = 2;
  while (at + 4 <= file.length && file[at] === 0xff && ((file[at + 1] ?? 0) & 0xf0) === 0xe0) {
    count();
    at += 2 + file.readUInt16BE(at + 2);
  }
  return closedHead(file, Math.min(at, file.length), jpegEnd, inSegments);
}

/** The size of an ID3v2 header. The library reads this many bytes of every MP3, even of one without a tag. */
const id3HeaderBytes = 10;

/** The tag of ID3v2 at the beginning, if there is one (ID3v2.4, section 3.1). */
function mp3(file: Buffer): Skeleton {
  const hasTag = file.toString('latin1', 0, 3) === 'ID3';
  const [a = 0, b = 0, c = 0, d = 0] = hasTag ? file.subarray(6, id3HeaderBytes) : [];
  const tagBytes = (a << 21) + (b << 14) + (c << 7) + d;
  return closedHead(file, id3HeaderBytes + tagBytes, Buffer.alloc(0), inOnePiece({ before: 0, after: 0 }));
}

/** The chunks of a RIFF file; each has a header of 8 bytes, and an even length. */
function chunksOf(file: Buffer): readonly { readonly name: string; readonly bytes: Buffer }[] {
  const chunks: { name: string; bytes: Buffer }[] = [];
  const count = countedParts();
  for (let at = 12; at + 8 <= file.length; ) {
    count();
    const length = 8 + file.readUInt32LE(at + 4);
    const bytes = file.subarray(at, at + length + (length % 2));
    chunks.push({ name: file.toString('latin1', at, at + 4), bytes });
    at += bytes.length;
  }
  return chunks;
}

function riff(content: readonly Uint8Array[]): Buffer[] {
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
  head.writeUInt32LE(4 + content.reduce((sum, { length }) => sum + length, 0), 4);
  return [head, ...content] as Buffer[];
}

/** A manifest is the last chunk of a WebP file. */
function webp(file: Buffer): Skeleton {
  const chunks = chunksOf(file);
  const isManifest = ({ name }: { name: string }) => name === 'C2PA';
  const [manifests, content] = [chunks.filter(isManifest), chunks.filter((chunk) => !isManifest(chunk))].map((some) =>
    some.map(({ bytes }) => bytes),
  );
  const contentBytes = (content ?? []).reduce((sum, { length }) => sum + length, 0);
  return {
    skeleton: bytesOf(...riff(manifests ?? [])),
    join: (marked) => riff([...(content ?? []), marked.subarray(12)]),
    place(marked, manifest) {
      const { start, length } = inOnePiece({ before: 8, after: 0 })(marked, manifest);
      return { start: start + contentBytes, length };
    },
  };
}

const skeletons: Readonly<Record<string, (file: Buffer) => Skeleton>> = {
  'image/png': png,
  'image/jpeg': jpeg,
  'image/webp': webp,
  'audio/mpeg': mp3,
};

/** @throws {Error} if files of the type have no known place for a manifest */
export function skeletonOf({ buffer, byteOffset, length }: Uint8Array, contentType: string): Skeleton {
  const find = skeletons[contentType];
  if (!find) throw new Error('large files of this type cannot be marked');
  return find(Buffer.from(buffer, byteOffset, length));
}
