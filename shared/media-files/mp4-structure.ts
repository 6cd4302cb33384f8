/** Checks whether an MP4 is complete, by its boxes and the samples that its index lists. */
import { bytesAt, reaches, type Walk } from './file-walk.ts';

type Box = readonly [type: string, content: Buffer];

/** The boxes in the content of another; an invalid one ends the list. */
function* boxesIn(content: Buffer): Generator<Box> {
  for (let at = 0; at + 8 <= content.length; ) {
    const size = content.readUInt32BE(at);
    if (size < 8 || at + size > content.length) return;
    yield [content.toString('latin1', at + 4, at + 8), content.subarray(at + 8, at + size)];
    at += size;
  }
}

/** The contents of the boxes at a path of names. */
const boxesAt = (content: Buffer, [name, ...path]: readonly string[]): readonly Buffer[] =>
  name === undefined
    ? [content]
    : Array.from(boxesIn(content)).flatMap(([type, child]) => (type === name ? boxesAt(child, path) : []));

/** A table that is read in place, because the index of a malicious file may be large. */
interface NumberTable {
  readonly length: number;
  at(index: number): number;
}

/** A table of numbers with this many bytes each, after a header. */
function numbersIn(table: Buffer | undefined, headerBytes: number, bytesEach: 4 | 8 = 4): NumberTable {
  const length = Math.max(0, Math.floor(((table?.length ?? 0) - headerBytes) / bytesEach));
  const read = (at: number) => (bytesEach === 4 ? table?.readUInt32BE(at) : Number(table?.readBigUInt64BE(at)));
  return { length, at: (index) => (index < length ? (read(headerBytes + index * bytesEach) ?? 0) : 0) };
}

/** The end position of the sample that is last in the file. */
function endOfSamples(sampleTable: Buffer): number {
  const tables = new Map(boxesIn(sampleTable));
  const offsets = tables.has('co64') ? numbersIn(tables.get('co64'), 8, 8) : numbersIn(tables.get('stco'), 8);
  const sizeOfAll = numbersIn(tables.get('stsz'), 4).at(0);
  const sizes = numbersIn(tables.get('stsz'), 12);
  // Each run has three numbers, starting with its first chunk (from 1) and the samples per chunk.
  const runs = numbersIn(tables.get('stsc'), 8);
  let [run, next, end] = [0, 0, 0];
  for (let chunk = 0; chunk < offsets.length; chunk += 1) {
    if (run + 3 < runs.length && runs.at(run + 3) <= chunk + 1) run += 3;
    const samples = runs.at(run + 1);
    const last = Math.min(next + samples, sizes.length);
    let bytes = samples * sizeOfAll;
    for (; next < last; next += 1) bytes += sizes.at(next);
    if (bytes > 0) end = Math.max(end, offsets.at(chunk) + bytes);
  }
  return end;
}

const endOfMedia = (movie: Buffer): number =>
  boxesAt(movie, ['trak', 'mdia', 'minf', 'stbl']).reduce(
    (end, sampleTable) => Math.max(end, endOfSamples(sampleTable)),
    0,
  );

/** Enough for the index of an hours-long video, which has a few megabytes. */
const maxIndexBytes = 32 * 2 ** 20;
const maxBoxes = 100_000;
const shortHeader = 8;
const longHeader = 16;

interface BoxInFile {
  readonly type: string;
  /** Zero for a last box without a size. */
  readonly size: number;
  /** The position of its content. */
  readonly content: number;
}

/** The box at a position; undefined if its header is missing. */
function* boxAt(at: number): Walk<BoxInFile | undefined> {
  const header = yield* bytesAt(at, shortHeader);
  if (header.length < shortHeader) return undefined;
  const type = header.toString('latin1', 4);
  const size = header.readUInt32BE(0);
  if (size !== 1) return { type, size, content: at + shortHeader };
  const long = yield* bytesAt(at + shortHeader, longHeader - shortHeader);
  if (long.length < longHeader - shortHeader) return undefined;
  return { type, size: Number(long.readBigUInt64BE(0)), content: at + longHeader };
}

/** Checks an MP4; `firstBox` is the size of its first box. Data after the last valid box is ignored. */
export function* mp4IsComplete(firstBox: number): Walk<boolean> {
  if (firstBox < shortHeader) return true;
  let needed = 0;
  let at = firstBox;
  for (let boxes = 0; boxes < maxBoxes; boxes += 1) {
    const box = yield* boxAt(at);
    if (!box) return needed <= at;
    const { type, size, content } = box;
    // The last box may have no size.
    if (size === 0) return yield* reaches(needed, content);
    if (at + size < content) return needed <= at;
    if (type === 'moov' && size <= maxIndexBytes) {
      const movie = yield* bytesAt(content, at + size - content);
      if (movie.length < at + size - content) return false;
      needed = endOfMedia(movie);
    } else if (['moov', 'moof', 'mdat'].includes(type) && !(yield* reaches(at + size, content))) return false;
    at += size;
  }
  return true;
}
