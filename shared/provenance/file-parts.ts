/**
 * Divides files into their parts as strictly as possible: a reader must not see other parts in the same bytes. Reading
 * beyond the end of a file throws an error, too.
 */

import { manifestType } from './mp4-boxes-hash.ts';

export interface FilePart {
  /** `media` are pixels, samples and tables of them: their size takes a reader of credentials no time. */
  readonly kind: 'credentials' | 'media' | 'metadata';
  readonly content: Buffer;
  /** How many parts it may consist of itself; 1 by default. */
  readonly parts?: number;
}

type Parts = Generator<FilePart, void, undefined>;

const wrong = (): never => {
  throw new Error('the file is not divided as its format requires');
};

const kindOf = (name: string, credentials: string, media: readonly string[]): FilePart['kind'] =>
  name === credentials ? 'credentials' : media.includes(name) ? 'media' : 'metadata';

/** What follows the end of an image, in which some readers look for further parts. */
function behind(file: Buffer, end: number, credentials: string | Buffer): FilePart {
  const content = file.subarray(end);
  return content.includes(credentials) ? wrong() : { kind: 'metadata', content };
}

const [scan, endOfImage, segmentOfCredentials] = ['ffda', 'ffd9', 'ffeb'];
const [stuffing, firstRestart, lastRestart] = [0, 0xd0, 0xd7];
/** Before the box of a segment of credentials: its type, and which one it is. The box has a header in each segment. */
const [numberBytes, headerBytes] = [8, 8];

/** Markers without a segment. Between segments they are unusual, and readers differ in what they make of them. */
const isAlone = (name: string): boolean => name < 'ffc0' || (name >= 'ffd0' && name <= 'ffd8') || name === 'ffff';

/** Where the next marker begins after the data of a scan. */
function afterScan(file: Buffer, from: number): number {
  for (let at = file.indexOf(0xff, from); at >= 0; at = file.indexOf(0xff, at + 2)) {
    const next = file[at + 1] ?? stuffing;
    if (next !== stuffing && (next < firstRestart || next > lastRestart)) return at;
  }
  return wrong();
}

function* jpegParts(file: Buffer): Parts {
  let repeated = 0;
  for (let at = 2; ; ) {
    const name = file.toString('hex', at, at + 2);
    if (name === endOfImage) return yield behind(file, at + 2, Buffer.from(segmentOfCredentials, 'hex'));
    const end = at + 2 + file.readUInt16BE(at + 2);
    if (!name.startsWith('ff') || isAlone(name)) wrong();
    const content = file.subarray(at + 4, end);
    if (name === segmentOfCredentials) {
      yield { kind: 'credentials', content: content.subarray(numberBytes + repeated) };
      repeated = headerBytes;
    } else yield { kind: 'metadata', content };
    at = name === scan ? afterScan(file, end) : end;
  }
}

function* pngParts(file: Buffer): Parts {
  for (let [at, name] = [8, '']; name !== 'IEND'; ) {
    const start = at + 8;
    const end = start + file.readUInt32BE(at);
    name = file.toString('latin1', at + 4, start);
    // A checksum follows.
    at = end + 4;
    yield { kind: kindOf(name, 'caBX', ['IDAT']), content: file.subarray(start, end) };
    if (name === 'IEND') yield behind(file, at, 'caBX');
  }
}

/** WebP and WAV. */
function* riffParts(file: Buffer): Parts {
  if (file.readUInt32LE(4) + 8 !== file.length) wrong();
  for (let at = 12; at < file.length; ) {
    const [name, start] = [file.toString('latin1', at, at + 4), at + 8];
    const end = start + file.readUInt32LE(at + 4);
    yield { kind: kindOf(name, 'C2PA', ['VP8 ', 'VP8L', 'ALPH', 'data']), content: file.subarray(start, end) };
    at = end + (end % 2);
  }
}

/** Seven bits of each byte count in sizes of ID3. */
const syncSafe = (file: Buffer, at: number): number =>
  [0, 1, 2, 3].reduce((size, index) => size * 128 + (file.readUInt8(at + index) & 127), 0);

/** Encodings of texts that end with a single zero: Latin-1 and UTF-8. */
const encodings = [0, 3];

/** The object of a frame, behind its encoding, type, name and description, of which the last three end with a zero. */
function objectIn(frame: Buffer): Buffer {
  if (!encodings.includes(frame.readUInt8(0))) wrong();
  let at = 1;
  for (let texts = 0; texts < 3; texts += 1) at = frame.indexOf(0, at) + 1 || wrong();
  return frame.subarray(at);
}

/** Frames that contain frames, which could be compressed. */
const framesOfFrames = ['CHAP', 'CTOC'];

/** An MP3 with a tag of ID3 2.3 or 2.4, none of whose frames is compressed or otherwise encoded. */
function* mp3Parts(file: Buffer): Parts {
  const version = file.readUInt8(3);
  if (file.toString('latin1', 0, 3) !== 'ID3' || version < 3 || version > 4 || file.readUInt8(5) !== 0) wrong();
  const end = 10 + syncSafe(file, 6);
  for (let at = 10; at < end && file.readUInt8(at) !== 0; ) {
    const [name, start] = [file.toString('latin1', at, at + 4), at + 10];
    const next = start + (version === 4 ? syncSafe(file, at + 4) : file.readUInt32BE(at + 4));
    if (next > end || file.readUInt16BE(at + 8) !== 0 || framesOfFrames.includes(name)) wrong();
    const content = file.subarray(start, next);
    yield name === 'GEOB' ? { kind: 'credentials', content: objectIn(content) } : { kind: 'metadata', content };
    at = next;
  }
  yield { kind: 'media', content: file.subarray(end) };
}

const containers = ['moov', 'trak', 'mdia', 'minf', 'stbl', 'edts', 'dinf'];
const boxesOfMedia = ['mdat', 'stts', 'stsc', 'stsz', 'stco', 'co64', 'ctts', 'stss', 'sdtp'];
const boxesOfFacts = [
  'ftyp',
  'free',
  'mvhd',
  'tkhd',
  'mdhd',
  'hdlr',
  'vmhd',
  'smhd',
  'stsd',
  'sgpd',
  'sbgp',
  'elst',
  'dref',
];
/** Before the credentials: their id, a version, what they are for (`manifest`, ended by a zero), and an offset. */
const beforeCredentials = 16 + 4 + 9 + 8;
const leastBox = 8;

/** The boxes of an MP4. One of an unknown type may consist of others, of which each has eight bytes at least. */
function* mp4Parts(file: Buffer): Parts {
  for (let at = 0; at < file.length; ) {
    const bytes = file.readUInt32BE(at);
    if (bytes < leastBox || at + bytes > file.length) wrong();
    const name = file.toString('latin1', at + 4, at + 8);
    const content = file.subarray(at + 8, at + bytes);
    const isOfCredentials = name === 'uuid' && content.subarray(0, 16).equals(manifestType);
    if (isOfCredentials) yield { kind: 'credentials', content: content.subarray(beforeCredentials) };
    else if (boxesOfMedia.includes(name)) yield { kind: 'media', content };
    else if (boxesOfFacts.includes(name)) yield { kind: 'metadata', content };
    else if (containers.includes(name)) {
      yield { kind: 'metadata', content: content.subarray(0, 0) };
      yield* mp4Parts(content);
    } else yield { kind: 'metadata', content, parts: 1 + content.length / leastBox };
    at += bytes;
  }
}

/** The functions for each type of file. They throw an Error at the first part that is not as the format requires. */
export const partsOf: Readonly<Record<string, (file: Buffer) => Parts>> = {
  'image/jpeg': jpegParts,
  'image/png': pngParts,
  'image/webp': riffParts,
  'audio/wav': riffParts,
  'audio/mpeg': mp3Parts,
  'audio/mp4': mp4Parts,
  'video/mp4': mp4Parts,
  'video/quicktime': mp4Parts,
};
