/** The frames of a video by the index of its MP4, whose tables must agree with each other. */
import type { Walk } from './file-walk.ts';
import { boxesAt, movieOf, numbersIn } from './mp4-structure.ts';

/** The number of entries that a table declares; undefined if it has fewer, of so many bytes each. */
function entriesIn(table: Buffer | undefined, bytesEach: number): number | undefined {
  const count = numbersIn(table, 4).at(0);
  return 8 + count * bytesEach <= (table?.length ?? 8) ? count : undefined;
}

/** How many samples the chunks have; undefined if their runs are not in order. */
function samplesInChunks(table: Buffer | undefined, chunks: number): number | undefined {
  const count = entriesIn(table, 12);
  if (count === undefined) return undefined;
  if (chunks === 0) return 0;
  const runs = numbersIn(table, 8);
  let samples = 0;
  for (let run = 0, from = 1; run < count; run += 1) {
    const next = run + 1 < count ? runs.at(3 * (run + 1)) : chunks + 1;
    if (runs.at(3 * run) !== from || next <= from) return undefined;
    samples += (next - from) * runs.at(3 * run + 1);
    from = next;
  }
  return samples;
}

/** How many samples there are, and how long they last together, in units of the track. */
function samplesInTime(table: Buffer | undefined): { readonly count: number; readonly units: number } | undefined {
  const entries = entriesIn(table, 8);
  if (entries === undefined) return undefined;
  const runs = numbersIn(table, 8);
  let [count, units] = [0, 0];
  for (let run = 0; run < entries; run += 1) {
    count += runs.at(2 * run);
    units += runs.at(2 * run) * runs.at(2 * run + 1);
  }
  return { count, units };
}

/** The samples of a track; undefined if its tables disagree on their number. */
function samplesOf(sampleTable: Buffer) {
  const table = (name: string): Buffer | undefined => boxesAt(sampleTable, [name])[0];
  const [offsets, largeOffsets, sizes] = [table('stco'), table('co64'), table('stsz')];
  const chunks = largeOffsets ? entriesIn(largeOffsets, 8) : entriesIn(offsets, 4);
  const samples = samplesInTime(table('stts'));
  if (chunks === undefined || !samples || samplesInChunks(table('stsc'), chunks) !== samples.count) return undefined;
  // Sizes of fewer than 32 bits are in a table of another name.
  if (!sizes) return samples;
  const [sizeOfAll, count] = [numbersIn(sizes, 4).at(0), numbersIn(sizes, 4).at(1)];
  const isListed = sizeOfAll > 0 || numbersIn(sizes, 12).length >= count;
  return isListed && count === samples.count ? samples : undefined;
}

export interface Mp4Frames {
  /** Frames per second by the ids of the tracks: the average of all of them. */
  readonly rates: ReadonlyMap<number, number>;
  /** Whether frames are in fragments, which the index does not list. */
  readonly isFragmented: boolean;
}

const isLong = (box: Buffer): boolean => box[0] === 1;

/** Undefined without an index; `broken` for one that contradicts itself. */
export function* framesOfMp4(): Walk<Mp4Frames | 'broken' | undefined> {
  const movie = yield* movieOf();
  if (!movie) return undefined;
  const rates = new Map<number, number>();
  for (const track of boxesAt(movie, ['trak'])) {
    const [type] = boxesAt(track, ['mdia', 'hdlr']);
    if (!['vide', 'soun'].includes(type?.toString('latin1', 8, 12) ?? '')) continue;
    const [sampleTable] = boxesAt(track, ['mdia', 'minf', 'stbl']);
    const samples = sampleTable && samplesOf(sampleTable);
    if (!samples) return 'broken';
    const [[head], [media]] = [boxesAt(track, ['tkhd']), boxesAt(track, ['mdia', 'mdhd'])];
    if (!head || !media) return 'broken';
    const timescale = numbersIn(media, isLong(media) ? 20 : 12).at(0);
    rates.set(numbersIn(head, isLong(head) ? 20 : 12).at(0), (samples.count * timescale) / samples.units);
  }
  return { rates, isFragmented: boxesAt(movie, ['mvex']).length > 0 };
}
