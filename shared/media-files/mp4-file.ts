/** Measures an MP4, MOV or M4A by its index and its fragments. */
import type { FileShape } from './file-shape.ts';
import type { Walk } from './file-walk.ts';
import type { FileWindow } from './file-window.ts';
import { KeptBytes } from './kept-bytes.ts';
import type { MeasuredFile } from './measured-file.ts';
import { contradictory, excessive, type MediaFault, truncated, unreadable } from './media-fault.ts';
import { childrenOf, requireHome } from './mp4-boxes.ts';
import { addFragment, addIndex, defaultsIn, type FragmentIndex } from './mp4-fragments.ts';
import { checkAllSamples, checkSomeSamples } from './mp4-sample-check.ts';
import type { SoundReading } from './mp4-sound.ts';
import { isChecked, lengthOf, type Track, timeHeaderIn, trackOf } from './mp4-track.ts';
import { firstProbe, isOtherThanMp4 } from './other-formats.ts';
import { Spans } from './spans.ts';
import type { Work } from './work.ts';

/** Boxes with which a file may begin. */
export const firstBoxes = new Set(['ftyp', 'moov', 'mdat', 'wide', 'free', 'pnot']);

/** The largest index that is accepted, whatever the duration. */
const largestIndex = 32 * 2 ** 20;
/** The size that an index may have for any duration, because a cover picture is part of it. */
const indexBase = 8 * 2 ** 20;
/**
 * How many bytes an index may have for each second of the file: 60 video frames take 1,200 bytes for two times and a
 * size each, and the sizes in two audio tracks take 400.
 */
const indexPerSecond = 1600;
const largestFragment = 4 * 2 ** 20;

interface Head {
  readonly type: string;
  readonly content: number;
  /** The position after the box; undefined for a last box without a size. */
  readonly end: number | undefined;
}

/** The box at a position; undefined if there is none. @throws {MediaFault} contradictory */
function* boxAt(file: FileWindow, at: number): Walk<Head | undefined> {
  if (!(yield* file.load(at, 8))) return undefined;
  const size = file.view(at, 4).readUInt32BE(0);
  const type = file.text(at + 4, 4);
  if (size === 0) return { type, content: at + 8, end: undefined };
  if (size !== 1) return size < 8 ? undefined : { type, content: at + 8, end: at + size };
  if (!(yield* file.load(at, 16))) return undefined;
  const long = Number(file.view(at + 8, 8).readBigUInt64BE(0));
  if (!Number.isSafeInteger(at + long)) throw contradictory('has a box without an end');
  return long < 16 ? undefined : { type, content: at + 16, end: at + long };
}

/** The whole content of a box that must be read. */
function* contentOf(file: FileWindow, { content, end }: Head, max: number, otherwise: () => MediaFault): Walk<Buffer> {
  if (end === undefined) throw unreadable();
  if (end - content > max) throw excessive();
  if (!(yield* file.load(content, end - content))) throw otherwise();
  return file.view(content, end - content);
}

/** The index, which is read only if it is not larger than that of the longest accepted file. */
function* indexOf(file: FileWindow, box: Head, maxSeconds = Number.POSITIVE_INFINITY): Walk<Buffer> {
  const needed = Math.min(largestIndex, indexBase + indexPerSecond * maxSeconds);
  if (needed < largestIndex && (box.end ?? 0) - box.content > needed) {
    throw contradictory(`has a larger index than ${maxSeconds} seconds need: shorten it, or encode it again`);
  }
  return yield* contentOf(file, box, largestIndex, unreadable);
}

/** Boxes in which players do not look for an index, and boxes that are read here. */
const plainBoxes = new Set(
  'ftyp styp moov moof mdat free skip wide uuid sidx ssix prft emsg pdin pnot PICT'.split(' '),
);
const maxInspected = 2 ** 20;

/** Rejects an index hidden in another box. @throws {MediaFault} contradictory, excessive */
function* requireNoIndex(file: FileWindow, { type, content, end }: Head, work: Work): Walk<void> {
  const size = Math.min(maxInspected, (end ?? Number.POSITIVE_INFINITY) - content);
  yield* file.load(content, size);
  const inspected = file.view(content, size);
  if (inspected.length === maxInspected) throw excessive();
  requireHome({ type, content: inspected }, '', work);
}

interface Movie {
  readonly tracks: readonly Track[];
  readonly timescale: number;
  readonly defaults: ReturnType<typeof defaultsIn>;
}

/**
 * The most tracks of a movie: more than any camera or program writes. The number is limited because all tracks are
 * searched for each fragment.
 */
const maxTracks = 64;

function movieIn(content: Buffer, reading: SoundReading, work: Work): Movie {
  const boxes = childrenOf('moov', content, work);
  const contents = boxes.get('trak') ?? [];
  if (contents.length > maxTracks) throw excessive();
  const tracks = contents.flatMap((track) => trackOf(track, reading, work) ?? []);
  const { timescale } = timeHeaderIn(boxes, 'mvhd');
  if (new Set(tracks.map(({ id }) => id)).size < tracks.length) throw contradictory('has two tracks with the same id');
  return { tracks, timescale, defaults: defaultsIn(boxes.get('mvex')?.[0], work) };
}

/**
 * The fault if bytes of samples are missing: if all samples have one size, the index only claims their number and
 * contradicts the file; if it lists their sizes, the file is truncated.
 */
const missing = ({ table: { isUniform } }: Track): MediaFault =>
  isUniform ? contradictory('declares more samples than it has bytes for') : truncated();

/** Checks that the file is large enough for its samples. @throws {MediaFault} contradictory, truncated */
function* requireBytes(file: FileWindow, { tracks }: Movie, at: number): Walk<void> {
  for (const track of tracks) {
    const end = Math.max(track.table.bytes + track.fragments.bytes, track.table.endsAt);
    if (end > at && !(yield* file.reaches(end))) throw missing(track);
  }
}

/** Checks that a stream announces enough bytes for its samples. @throws {MediaFault} contradictory, truncated */
function requireAnnounced({ tracks }: Movie, announced = Number.POSITIVE_INFINITY): void {
  for (const track of tracks) {
    if (Math.max(track.table.bytes, track.table.endsAt) > announced) throw missing(track);
  }
}

function factsOf({ tracks, timescale }: Movie, isQuickTime: boolean, work: Work): MeasuredFile {
  const lengths = tracks.map((track) => ({ track, ...lengthOf(track, timescale, work) }));
  const pictures = lengths.filter(({ track }) => track.size);
  const picture = pictures[0];
  const container = isQuickTime ? 'quicktime' : 'mp4';
  return {
    contentType: `${picture ? 'video' : 'audio'}/${container}`,
    name: isQuickTime ? 'MOV' : 'MP4',
    hasVideo: picture !== undefined,
    hasAudio: lengths.length > pictures.length,
    durationSec: Math.max(0, ...lengths.map(({ seconds }) => seconds)),
    ...(picture && {
      videoSec: Math.max(...pictures.map(({ seconds }) => seconds)),
      shownSec: Math.max(...pictures.map(({ shownSec }) => shownSec)),
      framesPerSecond: picture.mediaSec > 0 ? picture.frames / picture.mediaSec : 0,
      ...picture.track.size,
    }),
  };
}

/** Rejects a file that decoders would take for another format. @throws {MediaFault} contradictory */
function* refuseOther(file: FileWindow): Walk<void> {
  yield* file.load(0, firstProbe);
  if (isOtherThanMp4(file.view(0, firstProbe))) throw contradictory('begins with another format: export it again');
}

/**
 * Whether a brand is that of QuickTime. @throws {MediaFault} unreadable, for JPEG 2000: decoders do not recognize it as
 * an MP4, and detect another format in the rest of the file
 */
function isOfQuickTime(brand: string): boolean {
  if (brand === 'jp2 ' || brand === 'jpx ') throw unreadable();
  return brand === 'qt  ';
}

/** Measures the file; with `isGlance`, it stops once the index is complete. @throws {MediaFault} */
export function* measureMp4(
  file: FileWindow,
  { size, announced, maxSeconds, isGlance = false, takesDeclaredSound = false, ...shape }: FileShape,
  work: Work,
): Walk<MeasuredFile> {
  yield* refuseOther(file);
  let at = 0;
  let movie: Movie | undefined;
  let isQuickTime = true;
  const [kept, media] = [new KeptBytes(), new Spans()];
  const index: FragmentIndex = new Map();
  for (;;) {
    const box = yield* boxAt(file, at);
    if (!box) break;
    work.visit();
    const { type, content, end } = box;
    if (type === 'ftyp' && (yield* file.load(content, 4))) isQuickTime = isOfQuickTime(file.text(content, 4));
    if (type === 'moov') {
      if (movie) throw contradictory('has two indexes');
      movie = movieIn(yield* indexOf(file, box, maxSeconds), { takesDeclaredSound }, work);
      requireAnnounced(movie, announced);
      if (isGlance && movie.defaults.size === 0) break;
    } else if (type === 'moof') {
      if (!movie) throw unreadable();
      const fragment = { content: yield* contentOf(file, box, largestFragment, truncated), startsAt: at, index };
      addFragment(fragment, movie.tracks, movie.defaults, work);
    } else if (type === 'sidx' && end !== undefined) {
      addIndex(index, yield* contentOf(file, box, largestFragment, truncated), end, work);
    } else if (type === 'trak') throw contradictory('has a track outside of its index');
    else if (type === 'mdat') {
      const to = end ?? Number.POSITIVE_INFINITY;
      media.add(content, to);
      if (size === undefined && (!movie || movie.tracks.some(isChecked))) yield* kept.keep(file, content, to);
    } else if (!plainBoxes.has(type)) yield* requireNoIndex(file, box, work);
    if (end === undefined) break;
    if (type === 'mdat' && !(yield* file.reaches(end))) throw truncated();
    at = end;
  }
  if (!movie || movie.tracks.length === 0) throw unreadable();
  const isIndexOnly = isGlance && movie.defaults.size === 0;
  if (!isIndexOnly) yield* requireBytes(file, movie, at);
  const facts = factsOf(movie, isQuickTime, work);
  if (isIndexOnly) return facts;
  if (size === undefined) checkAllSamples(movie.tracks, media, kept, work);
  else yield* checkSomeSamples(movie.tracks, media, { ...shape, size }, work);
  return facts;
}
