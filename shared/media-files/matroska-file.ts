/** Measures a WebM or Matroska by the blocks of its clusters. */
import { agreedSeconds, requireFrameRate } from './agreed-seconds.ts';
import type { FileShape } from './file-shape.ts';
import type { Walk } from './file-walk.ts';
import type { FileWindow } from './file-window.ts';
import {
  type Element,
  elementAt,
  elementsIn,
  idsOf,
  longestNumber,
  undecodable,
  unsignedIn,
} from './matroska-elements.ts';
import { contentOf, type Found, largestElement, nothingFound, readHead, usualScale } from './matroska-head.ts';
import { type Cluster, chosenStretches } from './matroska-middle.ts';
import { ids, isEntered } from './matroska-places.ts';
import type { MeasuredFile } from './measured-file.ts';
import { contradictory, excessive, truncated, unreadable } from './media-fault.ts';
import type { Work } from './work.ts';

/** Elements that decoders read as a number. */
const numbers = idsOf('e7 9b fb 75a2 ee 46ae');
/**
 * The largest file that is read as a whole, which all recordings are. Larger ones are measured by their beginning and
 * end, if these can be reached, and by a part of their middle if they are measured thoroughly.
 */
const wholeBytes = 25 * 2 ** 20;
const beginningBytes = 2 ** 20;
/** How many clusters between the beginning and the end have their timestamps checked. */
const glanceClusters = 300;
/** The largest cluster: writers begin one every few seconds or megabytes, and leave room for an index. */
const largestCluster = 16 * 2 ** 20;
/** The largest elements of some kinds: decoders that find longer ones look for the next cluster inside them. */
const largest: ReadonlyMap<number, number> = new Map([
  [ids.padding, 2 ** 20],
  ...[ids.fileDescription, ids.fileName, ids.fileType].map((id) => [id, 2 ** 16] as const),
  ...[ids.fileData, ids.simpleBlock, ids.block].map((id) => [id, 2 ** 28] as const),
]);
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

function refuseLong({ id, content, end = content }: Element): void {
  if (end - content > (largest.get(id) ?? Number.POSITIVE_INFINITY))
    throw contradictory('contains bytes that are no media');
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
    refuseLong(element);
    at = isEntered(element) ? element.content : (element.end ?? at);
  }
  return at;
}

/** The time of a cluster, which is among its first elements. */
function* timeOf(file: FileWindow, cluster: Element): Walk<number> {
  let time = yield* elementAt(file, cluster.content);
  if (time?.id === ids.checksum && time.end !== undefined) time = yield* elementAt(file, time.end);
  if (time?.id !== ids.timestamp || time.end === undefined || time.end - time.content > 8) throw unreadable();
  if (!(yield* file.load(time.content, time.end - time.content))) throw truncated();
  return unsignedIn(file.view(time.content, time.end - time.content));
}

/** The last cluster in the index: its position and its time. */
function* lastCluster(file: FileWindow, { cuesAt, segmentAt }: Found, work: Work): Walk<Pick<Cluster, 'at' | 'time'>> {
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
  return { at: last, time: yield* timeOf(file, cluster) };
}

/**
 * The clusters between the beginning and the last one, whose blocks are not read. The index may omit some, so the file
 * is walked through.
 */
function* clustersBetween(
  file: FileWindow,
  { from, to, max }: { readonly from: number; readonly to: number; readonly max: number },
  found: Found,
  work: Work,
): Walk<readonly Cluster[]> {
  const clusters: Cluster[] = [];
  let at = from;
  while (at < to && clusters.length < max) {
    const element = yield* elementAt(file, at);
    if (!element) throw truncated();
    work.visit();
    const { id, content, end } = element;
    if (end === undefined) throw excessive();
    found.places.enter(element, at);
    yield* readHead(file, element, found, work);
    refuseLong(element);
    const isCluster = id === ids.cluster;
    if (isCluster && end - content > largestCluster) throw excessive();
    if (isCluster) clusters.push({ at, end, time: yield* timeOf(file, element) });
    at = isEntered(element) && !isCluster ? content : end;
  }
  if (at > to) throw contradictory('has an index that does not lead to its media');
  return clusters;
}

/**
 * Reads the blocks of some of the clusters, and checks that they contain no more audio than the time between the
 * clusters.
 */
function* readSome(
  file: FileWindow,
  clusters: readonly Cluster[],
  until: number,
  found: Found,
  work: Work,
): Walk<void> {
  for (const { at, end, units } of chosenStretches(clusters, until, found.scale / 1e9, work)) {
    found.times?.leap(units);
    found.places.leap();
    if (!(yield* file.load(at, Math.min(end - at, largestElement)))) throw truncated();
    yield* readElements(file, at, end - at, found, work);
  }
}

/** Reads the end of a large file, and parts of its middle; returns where the file ends. */
function* readRest(file: FileWindow, from: number, isThorough: boolean, found: Found, work: Work): Walk<number> {
  if (found.scale > usualScale) throw excessive();
  const last = yield* lastCluster(file, found, work);
  if (last.at <= from) return yield* readElements(file, from, Number.POSITIVE_INFINITY, found, work);
  const between = {
    from: Math.max(from, found.clusterEnd ?? from),
    to: last.at,
    max: isThorough ? Number.POSITIVE_INFINITY : glanceClusters,
  };
  const clusters = yield* clustersBetween(file, between, found, work);
  found.times?.leap();
  found.places.leap();
  const at = yield* readElements(file, last.at, Number.POSITIVE_INFINITY, found, work);
  const lastAt = found.times?.clusterAt ?? 0;
  if (clusters.some(({ time }) => time > lastAt)) throw contradictory('has media that its index leaves out');
  if (isThorough) yield* readSome(file, clusters, last.time, found, work);
  return at;
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
export function* measureMatroska(
  file: FileWindow,
  { size, isThorough, isReadAgain = false }: FileShape,
  work: Work,
): Walk<MeasuredFile> {
  const found = nothingFound(!isReadAgain);
  const isWhole = size === undefined || size <= wholeBytes;
  let at = yield* readElements(file, 0, isWhole ? Number.POSITIVE_INFINITY : beginningBytes, found, work);
  if (!isWhole) at = yield* readRest(file, at, isThorough === true, found, work);
  if (at > file.end && !(yield* file.reaches(at))) throw truncated();
  found.places.requireSought(at);
  return factsOf(found);
}
