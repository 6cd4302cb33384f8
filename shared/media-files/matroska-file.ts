/** Measures a WebM or Matroska by the blocks of its clusters. */
import { agreedSeconds, requireFrameRate } from './agreed-seconds.ts';
import type { FileShape } from './file-shape.ts';
import type { Walk } from './file-walk.ts';
import type { FileWindow } from './file-window.ts';
import {
  type Element,
  elementAt,
  elementsIn,
  floatIn,
  idsOf,
  longestNumber,
  requireElements,
  undecodable,
  unsignedIn,
} from './matroska-elements.ts';
import { ids, isEntered, MatroskaPlaces } from './matroska-places.ts';
import { MatroskaTimes } from './matroska-times.ts';
import { tracksIn } from './matroska-tracks.ts';
import type { MeasuredFile } from './measured-file.ts';
import { contradictory, excessive, truncated, unreadable } from './media-fault.ts';
import type { Work } from './work.ts';

/** Elements that decoders read as a number. */
const numbers = idsOf('e7 9b fb 75a2 ee 46ae');
/** Elements that are read as a whole. */
const listings = new Set<number>([ids.info, ids.seekHead, ids.tracks, ids.cues, ids.chapters, ids.tags]);
const largestElement = 4 * 2 ** 20;

/**
 * The elements of an EBML header (RFC 8794, section 11.2): versions, the largest lengths, the type and its extensions,
 * and a checksum.
 */
const headIds = new Set<number>([0x4286, 0x42f7, 0x42f2, 0x42f3, ids.docType, 0x4287, 0x4285, 0x4281, ids.checksum]);
const largestHead = 512;

/**
 * The largest file that is read as a whole. Larger ones are measured by their beginning and end, if these can be
 * reached.
 */
const wholeBytes = 24 * 2 ** 20;
const beginningBytes = 2 ** 20;
/** How many clusters between the beginning and the end are checked for their time. */
const glanceClusters = 300;
/** The largest cluster: writers begin one every few seconds or megabytes, and leave room for an index. */
const largestCluster = 16 * 2 ** 20;
const largestPadding = 2 ** 20;
/**
 * The usual unit of time, a millisecond, and the longest for a large file: a block begins at most 32,767 units after
 * its cluster, and only the times of some clusters are read.
 */
const usualScale = 1_000_000;

interface Found {
  docType: string;
  segmentAt: number;
  scale: number;
  /** Whether an Info element was read, or clusters have begun: decoders disagree about any later one. */
  isInfoOver: boolean;
  declared: number;
  cuesAt: number | undefined;
  readonly places: MatroskaPlaces;
  times: MatroskaTimes | undefined;
  /** The end of the last cluster, if known. */
  clusterEnd: number | undefined;
}

function* contentOf(file: FileWindow, { content, end }: Element): Walk<Buffer> {
  if (end === undefined) throw unreadable();
  if (end - content > largestElement) throw excessive();
  if (!(yield* file.load(content, end - content))) throw truncated();
  return file.view(content, end - content);
}

function readInfo(content: Buffer, found: Found, work: Work): void {
  for (const [id, value] of elementsIn(content, work)) {
    if (id === ids.timestampScale) found.scale = unsignedIn(value);
    if (id === ids.duration) found.declared = floatIn(value);
  }
  if (!(found.scale > 0)) throw unreadable();
}

function readSeekHead(content: Buffer, found: Found, work: Work): void {
  for (const [name, seek] of elementsIn(content, work)) {
    if (name !== ids.seek) continue;
    const values = new Map(elementsIn(seek, work));
    const [id, position] = [values.get(ids.seekId), values.get(ids.seekPosition)];
    if (!id || !position) continue;
    const [soughtId, at] = [unsignedIn(id), found.segmentAt + unsignedIn(position)];
    found.places.seek(soughtId, at);
    if (soughtId === ids.cues) found.cuesAt = at;
  }
}

/** The type in the file's EBML header. Decoders do not recognize a Matroska whose header contains much else. */
function docTypeIn(head: Buffer, work: Work): string {
  const values = new Map(elementsIn(head, work));
  if (head.length > largestHead || [...values.keys()].some((id) => !headIds.has(id)))
    throw contradictory('begins with bytes that are no media');
  const docType = values.get(ids.docType);
  if (!docType) throw unreadable();
  return docType.toString('latin1').replaceAll('\0', '');
}

/** Reads the elements that occur once, before the clusters. */
function* readHead(file: FileWindow, element: Element, found: Found, work: Work): Walk<void> {
  const { id, content } = element;
  if (listings.has(id)) requireElements(yield* contentOf(file, element), work);
  if (id === ids.head) {
    if (found.docType !== '') throw contradictory('begins twice');
    found.docType = docTypeIn(yield* contentOf(file, element), work);
  } else if (id === ids.segment) {
    if (found.segmentAt > 0) throw contradictory('begins twice');
    found.segmentAt = content;
  } else if (id === ids.info) {
    if (found.isInfoOver) throw contradictory('describes itself twice or too late');
    found.isInfoOver = true;
    readInfo(yield* contentOf(file, element), found, work);
  } else if (id === ids.seekHead) readSeekHead(yield* contentOf(file, element), found, work);
  else if (id === ids.tracks) {
    if (found.times) throw contradictory('has two lists of tracks');
    found.times = new MatroskaTimes(tracksIn(yield* contentOf(file, element), work));
  }
}

function* readMedia(file: FileWindow, element: Element, { times }: Found, work: Work): Walk<void> {
  const { id, content, end } = element;
  if (id === ids.simpleBlock || id === ids.blockGroup) times?.beginGroup();
  const isBlock = id === ids.simpleBlock || id === ids.block;
  if (!isBlock && !numbers.has(id)) return;
  if (!times || end === undefined) throw unreadable();
  if (isBlock) {
    yield* times.block(file, content, end, work);
    return;
  }
  if (end - content > longestNumber) throw undecodable();
  if (!(yield* file.load(content, end - content))) throw truncated();
  const value = unsignedIn(file.view(content, end - content));
  if (id === ids.timestamp) times.clusterBeginsAt(value);
  else if (id === ids.blockDuration) times.groupLasts(value);
}

function refusePadding({ id, content, end = content }: Element): void {
  if (id === ids.padding && end - content > largestPadding) throw contradictory('contains bytes that are no media');
}

/** Reads elements until the end, or until the given number of bytes of clusters were read; returns where it stopped. */
function* readElements(file: FileWindow, from: number, max: number, found: Found, work: Work): Walk<number> {
  let [at, to] = [from, Number.POSITIVE_INFINITY];
  while (at < to) {
    const element = yield* elementAt(file, at);
    if (!element) return at;
    work.visit();
    if (at === 0 && element.id !== ids.head) throw unreadable();
    found.places.enter(element, at);
    yield* readHead(file, element, found, work);
    yield* readMedia(file, element, found, work);
    if (element.id === ids.cluster) {
      // Attachments before the clusters may be large.
      to = Math.min(to, at + max);
      found.isInfoOver = true;
      found.clusterEnd = element.end;
      found.times?.beginCluster();
    }
    refusePadding(element);
    at = isEntered(element) ? element.content : (element.end ?? at);
  }
  return at;
}

/** The position of the last cluster in the index. */
function* lastCluster(file: FileWindow, { cuesAt, segmentAt }: Found, work: Work): Walk<number> {
  const cues = cuesAt !== undefined ? yield* elementAt(file, cuesAt) : undefined;
  if (cues?.id !== ids.cues) throw excessive();
  let last = 0;
  for (const [id, point] of elementsIn(yield* contentOf(file, cues), work)) {
    if (id !== ids.cuePoint) continue;
    for (const [part, positions] of elementsIn(point, work)) {
      if (part !== ids.cuePositions) continue;
      const position = new Map(elementsIn(positions, work)).get(ids.cueCluster);
      if (position) last = Math.max(last, segmentAt + unsignedIn(position));
    }
  }
  const cluster = yield* elementAt(file, last);
  if (cluster?.id !== ids.cluster) throw contradictory('has an index that does not lead to its media');
  return last;
}

/** The time of a cluster, which is among its first elements. */
function* timeOf(file: FileWindow, cluster: Element): Walk<number> {
  let time = yield* elementAt(file, cluster.content);
  if (time?.id === ids.checksum && time.end !== undefined) time = yield* elementAt(file, time.end);
  if (time?.id !== ids.timestamp || time.end === undefined || time.end - time.content > 8) throw unreadable();
  if (!(yield* file.load(time.content, time.end - time.content))) throw truncated();
  return unsignedIn(file.view(time.content, time.end - time.content));
}

/**
 * The latest time among the clusters between the beginning and the last one, in units of the file: the index may omit
 * some.
 */
function* latestBetween(file: FileWindow, from: number, to: number, max: number, work: Work): Walk<number> {
  let latest = 0;
  let at = from;
  for (let clusters = 0; at < to && clusters < max; ) {
    const element = yield* elementAt(file, at);
    if (!element) throw truncated();
    work.visit();
    const { id, content, end } = element;
    if (end === undefined) throw excessive();
    refusePadding(element);
    if (id === ids.cluster) {
      clusters += 1;
      if (end - content > largestCluster) throw excessive();
      latest = Math.max(latest, yield* timeOf(file, element));
    }
    at = end;
  }
  if (at > to) throw contradictory('has an index that does not lead to its media');
  return latest;
}

function factsOf({ docType, scale, declared, times }: Found): MeasuredFile {
  if (!times || (docType !== 'webm' && docType !== 'matroska')) throw unreadable();
  const clock = scale / 1e9;
  const { picture, frames, framesSec, videoSec, soundSec, durationSec } = times.lengths(clock);
  if (!picture && soundSec === undefined) throw unreadable();
  if (picture) requireFrameRate(frames, framesSec);
  const container = docType === 'webm' ? 'webm' : 'x-matroska';
  return {
    contentType: `${picture ? 'video' : 'audio'}/${container}`,
    name: docType === 'webm' ? 'WebM' : 'Matroska',
    hasVideo: picture !== undefined,
    hasAudio: soundSec !== undefined,
    durationSec:
      declared > 0 ? agreedSeconds(picture ? 'picture' : 'sound', durationSec, declared * clock) : durationSec,
    ...(picture && {
      ...(videoSec !== undefined && { videoSec, framesPerSecond: framesSec > 0 ? frames / framesSec : 0 }),
      width: picture.width,
      height: picture.height,
    }),
  };
}

/** Measures the file. @throws {MediaFault} */
export function* measureMatroska(file: FileWindow, { size, isThorough }: FileShape, work: Work): Walk<MeasuredFile> {
  const found: Found = {
    docType: '',
    segmentAt: 0,
    scale: usualScale,
    isInfoOver: false,
    declared: 0,
    cuesAt: undefined,
    places: new MatroskaPlaces(),
    times: undefined,
    clusterEnd: undefined,
  };
  const isWhole = size === undefined || size <= wholeBytes;
  let at = yield* readElements(file, 0, isWhole ? Number.POSITIVE_INFINITY : beginningBytes, found, work);
  if (!isWhole) {
    if (found.scale > usualScale) throw excessive();
    const last = yield* lastCluster(file, found, work);
    let latest = 0;
    if (last > at) {
      const max = isThorough ? Number.POSITIVE_INFINITY : glanceClusters;
      latest = yield* latestBetween(file, Math.max(at, found.clusterEnd ?? at), last, max, work);
      found.times?.leap();
      found.places.leap();
      at = last;
    }
    at = yield* readElements(file, at, Number.POSITIVE_INFINITY, found, work);
    if (latest > (found.times?.clusterAt ?? 0)) throw contradictory('has media that its index leaves out');
  }
  if (at > file.end && !(yield* file.reaches(at))) throw truncated();
  found.places.requireSought(at);
  return factsOf(found);
}
