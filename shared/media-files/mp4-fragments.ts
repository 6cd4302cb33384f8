/** Reads the samples that fragments of an MP4 add to its tracks. */
import { areFar } from './agreed-seconds.ts';
import { contradictory, unreadable } from './media-fault.ts';
import { boxesIn, childrenOf } from './mp4-boxes.ts';
import { isChecked, type Track } from './mp4-track.ts';
import type { SampleSizes } from './sample-runs.ts';
import type { Work } from './work.ts';

interface Defaults {
  readonly duration: number;
  readonly size: number;
}

/** Defaults for all fragments, by track id. */
export function defaultsIn(extension: Buffer | undefined, work: Work): ReadonlyMap<number, Defaults> {
  const defaults = new Map<number, Defaults>();
  if (!extension) return defaults;
  for (const box of childrenOf('mvex', extension, work).get('trex') ?? []) {
    if (box.length < 24 || defaults.has(box.readUInt32BE(4))) throw unreadable();
    defaults.set(box.readUInt32BE(4), { duration: box.readUInt32BE(12), size: box.readUInt32BE(16) });
  }
  return defaults;
}

/** When fragments begin, in seconds, according to an index of them; by track and position in the file. */
export type FragmentIndex = Map<string, number>;

const placeOf = (id: number, position: number): string => `${id} at ${position}`;

/** Adds an index of fragments, whose positions count from its end. @throws {MediaFault} unreadable, excessive */
export function addIndex(index: FragmentIndex, content: Buffer, end: number, work: Work): void {
  const take = numbersOf(content, 4);
  const [id, timescale] = [take(), take()];
  const bytes = content[0] === 0 ? 4 : 8;
  let time = take(bytes);
  let position = end + take(bytes);
  const count = take() & 0xffff;
  work.enter(count);
  for (let fragment = 0; fragment < count; fragment += 1) {
    index.set(placeOf(id, position), time / timescale);
    position += take() & 0x7fff_ffff;
    time += take();
    take();
  }
}

/** Reads the optional fields of a header, whose flags say which are present. */
function numbersOf(box: Buffer, at: number) {
  let next = at;
  return (bytes: 4 | 8 = 4): number => {
    if (next + bytes > box.length) throw unreadable();
    const value = bytes === 4 ? box.readUInt32BE(next) : Number(box.readBigUInt64BE(next));
    next += bytes;
    return value;
  };
}

const flagsOf = (box: Buffer): number => box.readUInt32BE(0) & 0xff_ffff;

function headIn(box: Buffer, defaults: ReadonlyMap<number, Defaults>) {
  if (box.length < 8) throw unreadable();
  const flags = flagsOf(box);
  const take = numbersOf(box, 4);
  const id = take();
  const base = flags & 0x01 ? take(8) : undefined;
  const countsFromFragment = (flags & 0x02_0000) !== 0;
  if (flags & 0x02) take();
  const { duration, size } = defaults.get(id) ?? { duration: 0, size: 0 };
  return {
    id,
    base,
    countsFromFragment,
    duration: flags & 0x08 ? take() : duration,
    size: flags & 0x10 ? take() : size,
  };
}

interface Run {
  readonly count: number;
  readonly units: number;
  readonly displayUnits: number;
  /** How long before the run's first sample any of its samples is displayed. */
  readonly earlyUnits: number;
  readonly bytes: number;
  /** The size of the largest sample. */
  readonly maxBytes: number;
  /** Where the run's samples begin, relative to the fragment; undefined if they follow those of the last run. */
  readonly offset: number | undefined;
  readonly sizes: SampleSizes;
}

/** Describes the samples of a run without fields of its own: all of them are alike. */
const alikeRun = (count: number, { duration, size }: Defaults, offset: Run['offset']): Run => ({
  count,
  units: count * duration,
  displayUnits: count * duration,
  earlyUnits: 0,
  bytes: count * size,
  maxBytes: size,
  offset,
  sizes: size,
});

const fields = { duration: 0x100, size: 0x200, flags: 0x400, shift: 0x800 } as const;

/** Parses a run of samples. @throws {MediaFault} unreadable, excessive */
function runIn(box: Buffer, { duration, size }: Defaults, work: Work): Run {
  if (box.length < 8) throw unreadable();
  const flags = flagsOf(box);
  const take = numbersOf(box, 4);
  const count = take();
  const offset = flags & 0x01 ? take() | 0 : undefined;
  if (flags & 0x04) take();
  const bytesOf = (field: number): number => (flags & field ? 4 : 0);
  const sizeAt = bytesOf(fields.duration);
  const shiftAt = sizeAt + bytesOf(fields.size) + bytesOf(fields.flags);
  const each = shiftAt + bytesOf(fields.shift);
  if (each === 0) return alikeRun(count, { duration, size }, offset);
  const head = 8 + (flags & 0x01 ? 4 : 0) + (flags & 0x04 ? 4 : 0);
  if (head + count * each > box.length) throw unreadable();
  work.enter(count * (each / 4));
  const table = new DataView(box.buffer, box.byteOffset + head, count * each);
  const sizes = flags & fields.size ? new Uint32Array(count) : size;
  let [units, bytes, maxBytes, displayUnits, earlyUnits] = [0, 0, 0, 0, 0];
  for (let sample = 0, at = 0; sample < count; sample += 1, at += each) {
    const shift = flags & fields.shift ? table.getInt32(at + shiftAt) : 0;
    if (units + shift < -earlyUnits) earlyUnits = -(units + shift);
    units += flags & fields.duration ? table.getUint32(at) : duration;
    if (units + shift > displayUnits) displayUnits = units + shift;
    const own = typeof sizes === 'number' ? sizes : table.getUint32(at + sizeAt);
    if (typeof sizes !== 'number') sizes[sample] = own;
    bytes += own;
    if (own > maxBytes) maxBytes = own;
  }
  return { count, units, displayUnits, earlyUnits, bytes, maxBytes, offset, sizes };
}

/** The start time that a fragment declares; undefined if it continues the previous one. */
function startIn(box: Buffer | undefined): number | undefined {
  if (!box) return undefined;
  // Decoders read every later version of the box like version 1.
  const isLong = box[0] !== 0;
  if (box.length < (isLong ? 12 : 8)) throw unreadable();
  return isLong ? Number(box.readBigUInt64BE(4)) : box.readUInt32BE(4);
}

/**
 * The most samples in a run of samples that all have the same size. 25 minutes of AAC have as many, but their sizes
 * differ.
 */
const maxUniformSamples = 65_536;

/**
 * The boxes of a track in a fragment. There may be very many runs, so only the positions of their contents are kept.
 */
function partsOf(content: Buffer, work: Work) {
  const boxes = new Map<string, Buffer>();
  const runs: number[] = [];
  for (const { type, content: box } of boxesIn('traf', content, work)) {
    if (type === 'trun') runs.push(box.byteOffset - content.byteOffset, box.length);
    else boxes.set(type, box);
  }
  return { boxes, runs };
}

/** How many elements a fragment without tracks counts as: it takes as long to read as one with them. */
const elementsOfEmpty = 6;

/** Adds a fragment's samples to its tracks. @throws {MediaFault} unreadable, contradictory, excessive */
export function addFragment(
  { content, startsAt, index }: { readonly content: Buffer; readonly startsAt: number; readonly index: FragmentIndex },
  tracks: readonly Track[],
  defaults: ReadonlyMap<number, Defaults>,
  work: Work,
): void {
  const parts = childrenOf('moof', content, work).get('traf') ?? [];
  if (parts.length === 0) work.visit(elementsOfEmpty);
  for (const [place, part] of parts.entries()) {
    const { boxes, runs } = partsOf(part, work);
    const header = boxes.get('tfhd');
    if (!header) throw unreadable();
    const head = headIn(header, defaults);
    // Rejected: decoders disagree on where such a track fragment begins, and on whether those of unknown tracks count.
    if (head.base === undefined && !head.countsFromFragment && place > 0)
      throw contradictory('has a fragment without a position');
    const track = tracks.find(({ id }) => id === head.id);
    if (!track) continue;
    const { fragments } = track;
    const start = startIn(boxes.get('tfdt')) ?? fragments.endsAt;
    // Some decoders take the time from the index of fragments instead of the fragment.
    if (areFar(index.get(placeOf(track.id, startsAt)) ?? start / track.timescale, start / track.timescale))
      throw contradictory('has an index of fragments that contradicts them');
    let at = start;
    const base = head.base ?? startsAt;
    let bytesAt = base;
    for (let position = 0; position < runs.length; position += 2) {
      const from = runs[position] ?? 0;
      const run = runIn(part.subarray(from, from + (runs[position + 1] ?? 0)), head, work);
      // Some decoders read a run without an offset from the beginning of the fragment.
      if (run.offset === undefined && position > 0) throw contradictory('has a run of samples without a position');
      if (run.offset !== undefined) bytesAt = base + run.offset;
      const { count, sizes } = run;
      if (isChecked(track)) {
        if (typeof sizes === 'number' && count > maxUniformSamples) throw contradictory('has fragments without end');
        fragments.runs.add(bytesAt, count, sizes);
      }
      bytesAt += run.bytes;
      fragments.count += run.count;
      fragments.units += run.units;
      fragments.bytes += run.bytes;
      fragments.maxBytes = Math.max(fragments.maxBytes, run.maxBytes);
      if (!track.clock) fragments.firstAt = Math.min(fragments.firstAt, at - run.earlyUnits);
      // A positive display offset occurs only in video.
      fragments.endsAt = Math.max(
        fragments.endsAt,
        at + (track.clock ? run.units : Math.max(run.units, run.displayUnits)),
      );
      at += run.units;
    }
    fragments.firstAt = Math.min(fragments.firstAt, start);
    if (!Number.isSafeInteger(fragments.units)) throw contradictory('has fragments without end');
  }
}
