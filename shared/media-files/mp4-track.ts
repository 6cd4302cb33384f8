/** A track of an MP4: the samples in its index, and those that fragments add. */
import { agreedSeconds, areFar, requireFrameRate } from './agreed-seconds.ts';
import { contradictory, unreadable } from './media-fault.ts';
import { childrenOf } from './mp4-boxes.ts';
import { editedSeconds, editsIn, fragmentedSeconds, hiddenSeconds } from './mp4-edits.ts';
import { trackKind } from './mp4-kind.ts';
import { displayedSize, type PictureSize } from './mp4-picture.ts';
import { pictureCheckIn } from './mp4-picture-check.ts';
import { type SampleTable, type SampleVisitor, sampleTableOf } from './mp4-sample-table.ts';
import { type SampleCheck, type SoundClock, type SoundReading, soundClockIn, soundSeconds } from './mp4-sound.ts';
import type { PictureCheck } from './picture-check.ts';
import { SampleRuns } from './sample-runs.ts';
import type { Work } from './work.ts';

export interface Track {
  readonly id: number;
  /** How to measure the track's samples; undefined for a video track. */
  readonly clock: SoundClock | undefined;
  readonly size: PictureSize | undefined;
  readonly pictureCheck: PictureCheck | undefined;
  readonly timescale: number;
  /** The duration in the track's header; 0 if it is not declared. */
  readonly declaredUnits: number;
  readonly edits: Buffer | undefined;
  readonly table: SampleTable;
  /** The totals of the samples in fragments. */
  fragments: {
    count: number;
    units: number;
    bytes: number;
    maxBytes: number;
    firstAt: number;
    endsAt: number;
    /** The runs of samples to be checked: where each begins in the file. */
    readonly runs: SampleRuns;
  };
}

/** How to check the samples of an audio track; undefined if they need no check. */
export const soundCheckOf = ({ clock }: Pick<Track, 'clock'>): SampleCheck | undefined =>
  clock?.kind === 'frames' ? clock.check : undefined;

/** Whether the samples of a track need a check. */
export const isChecked = (track: Pick<Track, 'clock' | 'pictureCheck'>): boolean =>
  (soundCheckOf(track) ?? track.pictureCheck) !== undefined;

/** Visits the samples of a track that need a check. @throws {MediaFault} excessive */
export function visitSamples({ table, fragments: { runs } }: Track, visit: SampleVisitor, work: Work): void {
  table.eachSample(visit, work);
  runs.each((count) => work.enter(count), visit);
}

type Boxes = ReadonlyMap<string, readonly Buffer[]>;

function only(boxes: Boxes, name: string, minBytes = 0): Buffer {
  const [box] = boxes.get(name) ?? [];
  if (!box || box.length < minBytes) throw unreadable();
  return box;
}

const isLong = (box: Buffer): boolean => box[0] === 1;
const unknownUnits = [0xffff_ffff, Number(0xffff_ffff_ffff_ffffn)];

export interface TimeHeader {
  readonly timescale: number;
  readonly units: number;
}

/** The time scale and duration of an `mvhd` or `mdhd`. */
export function timeHeaderIn(boxes: Boxes, name: 'mvhd' | 'mdhd'): TimeHeader {
  const head = only(boxes, name, 20);
  if (isLong(head) && head.length < 32) throw unreadable();
  const timescale = head.readUInt32BE(isLong(head) ? 20 : 12);
  const units = isLong(head) ? Number(head.readBigUInt64BE(24)) : head.readUInt32BE(16);
  // Decoders read the time scale as a signed number.
  if (timescale === 0 || timescale >= 2 ** 31) throw unreadable();
  return { timescale, units: unknownUnits.includes(units) ? 0 : units };
}

/** Parses a track; undefined if it is neither audio nor video. @throws {MediaFault} */
export function trackOf(content: Buffer, reading: SoundReading, work: Work): Track | undefined {
  const boxes = childrenOf('trak', content, work);
  const media = childrenOf('mdia', only(boxes, 'mdia'), work);
  const information = childrenOf('minf', only(media, 'minf'), work);
  const tables = childrenOf('stbl', only(information, 'stbl'), work);
  const [edits] = (boxes.get('edts') ?? []).map((box) => childrenOf('edts', box, work).get('elst')?.[0]);
  const kind = trackKind(only(media, 'hdlr', 12).toString('latin1', 8, 12), only(tables, 'stsd'), work);
  if (!kind) return undefined;
  const head = only(boxes, 'tkhd', 24);
  const table = sampleTableOf(tables, work);
  const { timescale, units } = timeHeaderIn(media, 'mdhd');
  return {
    id: head.readUInt32BE(isLong(head) ? 20 : 12),
    clock: kind === 'sound' ? soundClockIn(table, reading, work) : undefined,
    size: kind === 'picture' ? displayedSize(head, table.descriptions, work) : undefined,
    pictureCheck: kind === 'picture' ? pictureCheckIn(table.descriptions, work) : undefined,
    timescale,
    declaredUnits: units,
    edits,
    table,
    fragments: {
      count: 0,
      units: 0,
      bytes: 0,
      maxBytes: 0,
      firstAt: Number.POSITIVE_INFINITY,
      endsAt: 0,
      runs: new SampleRuns(),
    },
  };
}

/** The duration of a track's media by the container's clock, before edits. */
function clockedSeconds({ table, fragments, timescale, clock }: Track): number {
  const displayed = clock ? 0 : table.displayUnits;
  const inIndex = Math.max(table.units, displayed) / timescale;
  const span = fragments.count > 0 ? Math.max(fragments.units, fragments.endsAt - fragments.firstAt) : 0;
  // Fragments that follow the samples of the index may leave a gap.
  const endsAt = table.count > 0 ? fragments.endsAt / timescale : 0;
  return Math.max(inIndex + span / timescale, endsAt);
}

export interface TrackLength {
  /** The duration of the track as it is played. */
  readonly seconds: number;
  /** Like the duration of the track, without the beginning that an edit hides. */
  readonly shownSec: number;
  readonly frames: number;
  /** The duration of all samples, without edits. */
  readonly mediaSec: number;
}

/** Measures a track. @throws {MediaFault} contradictory */
export function lengthOf(track: Track, movieTimescale: number, work: Work): TrackLength {
  const { clock, table, fragments, timescale, declaredUnits } = track;
  const frames = table.count + fragments.count;
  const clocked = clockedSeconds(track);
  const isFragmented = fragments.count > 0;
  if (!clock) requireFrameRate(frames, clocked);
  if (!isFragmented && declaredUnits > 0 && areFar(declaredUnits / timescale, clocked)) {
    throw contradictory(
      `declares ${(declaredUnits / timescale).toFixed(1)} seconds in the header of a track of ${clocked.toFixed(1)} seconds`,
    );
  }
  const samples = {
    count: frames,
    bytes: table.bytes + fragments.bytes,
    maxBytes: Math.max(table.maxBytes, fragments.maxBytes),
  };
  const measured = (clock && soundSeconds(clock, samples)) ?? clocked;
  const mediaSec = agreedSeconds(clock ? 'sound' : 'picture', measured, clocked);
  const edits = editsIn(track.edits, { movie: movieTimescale, track: timescale }, work);
  const seconds = isFragmented
    ? fragmentedSeconds(edits, mediaSec)
    : editedSeconds(edits, mediaSec, frames > 0 ? mediaSec / frames : 0);
  const shownSec = Math.min(seconds, Math.max(0, mediaSec - hiddenSeconds(edits)));
  return { seconds, shownSec, frames, mediaSec };
}
