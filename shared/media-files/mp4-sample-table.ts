/**
 * Reads the samples of a track from the tables of its index, which must agree with each other and with the file's size.
 */
import { contradictory, unreadable } from './media-fault.ts';
import { entriesIn } from './mp4-boxes.ts';
import type { Work } from './work.ts';

export interface SampleTable {
  /** The sample descriptions (`stsd`), which say the codec. */
  readonly descriptions: Buffer;
  readonly count: number;
  /** The total duration of the samples, in units of the track. */
  readonly units: number;
  /** When the last displayed sample ends, relative to the first. */
  readonly displayUnits: number;
  /** The total size of the samples, and whether a single number gives the size of each. */
  readonly bytes: number;
  readonly isUniform: boolean;
  /** The size of the largest sample. */
  readonly maxBytes: number;
  /** The end position of the sample that is last in the file. */
  readonly endsAt: number;
  /** Visits all samples. @throws {MediaFault} excessive */
  readonly eachSample: (visit: SampleVisitor, work: Work) => void;
}

export type SampleVisitor = (at: number, size: number) => void;

const disagree = () => contradictory('has an index whose tables contradict each other');

type Tables = ReadonlyMap<string, readonly Buffer[]>;

function required(tables: Tables, ...names: readonly string[]): Buffer {
  const table = names.flatMap((name) => tables.get(name) ?? [])[0];
  if (!table) throw unreadable();
  return table;
}

/** The sizes of samples; without a list if all are equal. */
interface Sizes {
  readonly count: number;
  readonly at: (index: number) => number;
  readonly ofAll: number;
}

function sizesIn(tables: Tables, work: Work): Sizes {
  const long = tables.get('stsz')?.[0];
  const short = tables.get('stz2')?.[0];
  const table = long ?? short;
  if (!table || (long && short) || table.length < 12) throw unreadable();
  const count = table.readUInt32BE(8);
  const ofAll = long ? long.readUInt32BE(4) : 0;
  if (ofAll > 0) return { count, ofAll, at: () => ofAll };
  const bits = long ? 32 : (table[7] ?? 0);
  if (![4, 8, 16, 32].includes(bits)) throw unreadable();
  if (12 + (count * bits) / 8 > table.length) throw unreadable();
  work.enter(count);
  const at = (index: number): number => {
    if (bits === 32) return table.readUInt32BE(12 + 4 * index);
    if (bits === 16) return table.readUInt16BE(12 + 2 * index);
    const byte = table[12 + ((index * bits) >> 3)] ?? 0;
    if (bits === 8) return byte;
    return index % 2 === 0 ? byte >> 4 : byte & 15;
  };
  return { count, ofAll: 0, at };
}

/** The end of each chunk's samples, processed as runs of chunks. */
function chunksIn(tables: Tables, sizes: Sizes, work: Work) {
  const long = tables.get('co64')?.[0];
  if (long && tables.has('stco')) throw disagree();
  const offsets = long ?? required(tables, 'stco');
  const chunks = entriesIn(offsets, 4, long ? 8 : 4);
  const runs = required(tables, 'stsc');
  const runCount = entriesIn(runs, 4, 12);
  work.enter(chunks + runCount);
  const number = (run: number, column: number) => runs.readUInt32BE(8 + 12 * run + 4 * column);
  if (chunks > 0 && (runCount === 0 || number(0, 0) !== 1)) throw disagree();
  let [run, samples, bytes, maxBytes, endsAt] = [0, 0, 0, sizes.ofAll, 0];
  for (let chunk = 0; chunk < chunks; chunk += 1) {
    if (run + 1 < runCount && number(run + 1, 0) <= chunk + 1) {
      if (number(run + 1, 0) !== chunk + 1) throw disagree();
      run += 1;
    }
    const inChunk = number(run, 1);
    if (samples + inChunk > sizes.count) throw disagree();
    let chunkBytes = inChunk * sizes.ofAll;
    for (let at = samples; sizes.ofAll === 0 && at < samples + inChunk; at += 1) {
      const size = sizes.at(at);
      chunkBytes += size;
      if (size > maxBytes) maxBytes = size;
    }
    samples += inChunk;
    bytes += chunkBytes;
    const offset = long ? Number(long.readBigUInt64BE(8 + 8 * chunk)) : offsets.readUInt32BE(8 + 4 * chunk);
    if (chunkBytes > 0) endsAt = Math.max(endsAt, offset + chunkBytes);
  }
  if (samples !== sizes.count || (chunks > 0 && run + 1 < runCount)) throw disagree();
  return { bytes, maxBytes, endsAt };
}

/** Returns a function that visits the samples, from tables that have been read. */
function eachSampleIn(tables: Tables, sizes: Sizes): SampleTable['eachSample'] {
  const long = tables.get('co64')?.[0];
  const offsets = long ?? required(tables, 'stco');
  const runs = required(tables, 'stsc');
  const runCount = runs.readUInt32BE(4);
  const number = (run: number, column: number) => runs.readUInt32BE(8 + 12 * run + 4 * column);
  return (visit, work) => {
    const chunks = offsets.readUInt32BE(4);
    work.enter(chunks + sizes.count);
    for (let chunk = 0, run = 0, sample = 0; chunk < chunks; chunk += 1) {
      if (run + 1 < runCount && number(run + 1, 0) === chunk + 1) run += 1;
      let at = long ? Number(long.readBigUInt64BE(8 + 8 * chunk)) : offsets.readUInt32BE(8 + 4 * chunk);
      for (let left = number(run, 1); left > 0; left -= 1, sample += 1) {
        const size = sizes.at(sample);
        visit(at, size);
        at += size;
      }
    }
  };
}

/** Yields runs of equal numbers: the count and the number. */
function* runsOf(table: Buffer | undefined, signed: boolean): Generator<readonly [count: number, value: number]> {
  if (!table) return;
  const count = entriesIn(table, 4, 8);
  for (let run = 0; run < count; run += 1) {
    const at = 8 + 8 * run;
    yield [table.readUInt32BE(at), signed ? table.readInt32BE(at + 4) : table.readUInt32BE(at + 4)];
  }
}

/** The times at which samples are decoded and displayed, from both tables run by run. */
function timesIn(tables: Tables, work: Work) {
  const deltas = required(tables, 'stts');
  const [offsets] = tables.get('ctts') ?? [];
  work.enter(entriesIn(deltas, 4, 8) + (offsets ? entriesIn(offsets, 4, 8) : 0));
  const shifts = runsOf(offsets, true);
  let [shiftsLeft, shift] = [0, 0];
  let [count, units, first, last] = [0, 0, Number.POSITIVE_INFINITY, 0];
  for (const [inRun, delta] of runsOf(deltas, false)) {
    for (let left = inRun; left > 0; ) {
      while (shiftsLeft === 0) {
        const next = shifts.next();
        [shiftsLeft, shift] = next.done ? [Number.POSITIVE_INFINITY, 0] : next.value;
      }
      const together = Math.min(left, shiftsLeft);
      first = Math.min(first, units + shift);
      units += together * delta;
      last = Math.max(last, units + shift);
      count += together;
      left -= together;
      shiftsLeft -= together;
    }
  }
  return { count, units, displayUnits: count > 0 ? last - first : 0 };
}

/** Reads the table. @throws {MediaFault} unreadable, contradictory, excessive */
export function sampleTableOf(tables: Tables, work: Work): SampleTable {
  const sizes = sizesIn(tables, work);
  const times = timesIn(tables, work);
  if (times.count !== sizes.count) throw disagree();
  return {
    descriptions: required(tables, 'stsd'),
    ...times,
    ...chunksIn(tables, sizes, work),
    isUniform: sizes.ofAll > 0,
    eachSample: eachSampleIn(tables, sizes),
  };
}
