/** Measures a WebM or Matroska by the blocks of its clusters. */
import { agreedSeconds, requireFrameRate } from './agreed-seconds.ts';
import type { Walk } from './file-walk.ts';
import type { FileWindow } from './file-window.ts';
import { type Element, elementAt, elementsIn, floatIn, unsignedIn } from './matroska-elements.ts';
import { MatroskaTimes } from './matroska-times.ts';
import { tracksIn } from './matroska-tracks.ts';
import type { MeasuredFile } from './measured-file.ts';
import { contradictory, excessive, truncated, unreadable } from './media-fault.ts';
import type { Work } from './work.ts';

const ids = {
  head: 0x1a45dfa3,
  docType: 0x4282,
  segment: 0x18538067,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  duration: 0x4489,
  tracks: 0x1654ae6b,
  cluster: 0x1f43b675,
  timestamp: 0xe7,
  simpleBlock: 0xa3,
  blockGroup: 0xa0,
  block: 0xa1,
  blockDuration: 0x9b,
  seekHead: 0x114d9b74,
  seek: 0x4dbb,
  seekId: 0x53ab,
  seekPosition: 0x53ac,
  cues: 0x1c53bb6b,
  cuePoint: 0xbb,
  cuePositions: 0xb7,
  cueCluster: 0xf1,
} as const;

/** Whose children follow like elements of their own. */
const entered = new Set<number>([ids.segment, ids.cluster, ids.blockGroup]);
const largestElement = 4 * 2 ** 20;

/** Larger files are measured by their beginning and their end, if these can be reached. */
const wholeBytes = 24 * 2 ** 20;
const beginningBytes = 2 ** 20;

interface Found {
  docType: string;
  segmentAt: number;
  scale: number;
  declared: number;
  cuesAt: number | undefined;
  times: MatroskaTimes | undefined;
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
    if (id && position && unsignedIn(id) === ids.cues) found.cuesAt = found.segmentAt + unsignedIn(position);
  }
}

/** What a file has once, before its clusters. */
function* readHead(file: FileWindow, element: Element, found: Found, work: Work): Walk<void> {
  const { id, content } = element;
  if (id === ids.head) {
    if (found.docType !== '') throw contradictory('begins twice');
    const values = new Map(elementsIn(yield* contentOf(file, element), work));
    found.docType = values.get(ids.docType)?.toString('latin1').replaceAll('\0', '') ?? 'matroska';
  } else if (id === ids.segment) {
    if (found.segmentAt > 0) throw contradictory('begins twice');
    found.segmentAt = content;
  } else if (id === ids.info) readInfo(yield* contentOf(file, element), found, work);
  else if (id === ids.seekHead) readSeekHead(yield* contentOf(file, element), found, work);
  else if (id === ids.tracks) {
    if (found.times) throw contradictory('has two lists of tracks');
    found.times = new MatroskaTimes(tracksIn(yield* contentOf(file, element), work));
  }
}

function* readMedia(file: FileWindow, element: Element, { times }: Found, work: Work): Walk<void> {
  const { id, content, end } = element;
  const isBlock = id === ids.simpleBlock || id === ids.block;
  if (id !== ids.timestamp && id !== ids.blockDuration && !isBlock) return;
  if (!times || end === undefined) throw unreadable();
  if (isBlock) {
    yield* times.block(file, content, end, work);
    return;
  }
  if (end - content > 8 || !(yield* file.load(content, end - content))) throw unreadable();
  const value = unsignedIn(file.view(content, end - content));
  if (id === ids.timestamp) times.clusterAt = value;
  else times.lastLasts(value);
}

/** Reads elements from a position on, to the end or until it has read enough; returns where it stopped. */
function* readElements(file: FileWindow, from: number, to: number, found: Found, work: Work): Walk<number> {
  let at = from;
  while (at < to) {
    const element = yield* elementAt(file, at);
    if (!element) return at;
    work.visit();
    if (at === 0 && element.id !== ids.head) throw unreadable();
    yield* readHead(file, element, found, work);
    yield* readMedia(file, element, found, work);
    if (entered.has(element.id)) at = element.content;
    else if (element.end === undefined) throw unreadable();
    else at = element.end;
  }
  return at;
}

/** Where the last cluster begins that the index names. */
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

/** @throws {MediaFault} */
export function* measureMatroska(file: FileWindow, isSeekable: boolean, work: Work): Walk<MeasuredFile> {
  const found: Found = {
    docType: '',
    segmentAt: 0,
    scale: 1_000_000,
    declared: 0,
    cuesAt: undefined,
    times: undefined,
  };
  const isWhole = !isSeekable || (file.size ?? 0) <= wholeBytes;
  let at = yield* readElements(file, 0, isWhole ? Number.POSITIVE_INFINITY : beginningBytes, found, work);
  if (!isWhole) {
    const last = yield* lastCluster(file, found, work);
    if (last > at) {
      found.times?.leap();
      at = last;
    }
    at = yield* readElements(file, at, Number.POSITIVE_INFINITY, found, work);
  }
  if (at > file.end && !(yield* file.reaches(at))) throw truncated();
  return factsOf(found);
}
