/** Measures an MP3, or AAC in ADTS, by counting its frames, with which a summary in the file must agree. */
import { aacCheck, severalFrames } from './aac-packet.ts';
import { agreedSeconds } from './agreed-seconds.ts';
import type { Walk } from './file-walk.ts';
import type { FileWindow } from './file-window.ts';
import type { MeasuredFile } from './measured-file.ts';
import { contradictory, truncated, unmeasurable, unreadable } from './media-fault.ts';
import { type Mp3Summary, summaryIn } from './mp3-summary.ts';
import { type FrameHead, frameHeadAt, frameHeadBytes } from './mpeg-frame.ts';
import { firstProbe, isOtherThanFrames, isPreferredToFrames } from './other-formats.ts';
import type { Work } from './work.ts';

interface Counted {
  first: FrameHead | undefined;
  /** Sample counts by sample rate: a file may be concatenated from files of different rates. */
  readonly samples: Map<number, number>;
  bytes: number;
  /** The number of bytes that belong to no frame and no tag. */
  strayBytes: number;
  /** The duration of bytes within tags that look like frames. */
  tagSec: number;
  summary: Mp3Summary | undefined;
}

/** The size of a tag, which is stored in the lower seven bits of each byte. */
const tagSize = (bytes: Uint8Array): number => bytes.reduce((size, byte) => size * 128 + (byte & 127), 0);

/** The length of an ID3 tag's header, and of its footer. */
const tagHeadBytes = 10;
/** The flag of an ID3 tag with a footer, whose length its size does not include. */
const id3Footer = 0x10;
const tagNames = ['ID3', 'TAG', 'APETAGEX'];
const longestTagName = 8;

/**
 * The length of an ID3 tag by its header; 0 if decoders do not recognize it as a tag and look for frames in it. @throws
 * {MediaFault} contradictory
 */
function id3Bytes(head: Buffer): number {
  const [version, revision, flags = 0, size] = [head[3], head[4], head[5], head.subarray(6)];
  const isTag = version !== 0xff && revision !== 0xff && size.every((byte) => byte < 128);
  if (!isTag) return 0;
  const hasFooter = (flags & id3Footer) !== 0;
  // Decoders disagree on whether older tags have a footer.
  if (hasFooter && version !== 4) throw contradictory('has a tag that can be read in two ways: export it again');
  return tagHeadBytes + tagSize(size) + (hasFooter ? tagHeadBytes : 0);
}

/** The length of the tag at a position; 0 if there is none. */
export function* tagBytesAt(file: FileWindow, at: number): Walk<number> {
  if (!(yield* file.load(at, 3))) return 0;
  const name = file.text(at, 3);
  if (name === 'TAG') return 128;
  if (name === 'ID3' && (yield* file.load(at, tagHeadBytes))) return id3Bytes(file.view(at, tagHeadBytes));
  if (name !== 'APE' || !(yield* file.load(at, 32)) || file.text(at, 8) !== 'APETAGEX') return 0;
  const head = file.view(at, 32);
  const isHeader = head.readUInt32LE(20) & 0x2000_0000;
  return isHeader ? 32 + head.readUInt32LE(12) : 32;
}

/** How many seconds of audio the bytes in all tags may seem to contain: in a picture, a few places look like frames. */
const toleratedTagSec = 0.5;

/**
 * Rejects audio within a tag, even a single frame, because decoders that do not know the tag would play it.
 * @throws {MediaFault} contradictory
 */
function* refuseSoundIn(file: FileWindow, from: number, to: number, counted: Counted, work: Work): Walk<void> {
  for (let at = from; at < to; ) {
    if (!file.has(at, frameHeadBytes) && !(yield* file.load(at, frameHeadBytes))) return;
    const part = file.view(at, to - at);
    const found = part.indexOf(0xff);
    const passed = found < 0 ? part.length : found;
    work.scan(passed);
    at += passed;
    if (found < 0) continue;
    work.visit();
    if (!file.has(at, frameHeadBytes)) yield* file.load(at, frameHeadBytes);
    const head = frameHeadAt(file.bytes, at - file.start);
    if (head) counted.tagSec += head.samples / head.sampleRate;
    if (counted.tagSec > toleratedTagSec) throw contradictory('contains sound in a tag: export it again');
    at += 1;
  }
}

const summaryReach = 192;

/** The summary in the first frame, which is then not audio. */
function* summaryAt(file: FileWindow, at: number, head: FrameHead): Walk<Mp3Summary | undefined> {
  if (!head.isMp3) return undefined;
  yield* file.load(at, summaryReach);
  return summaryIn(file.view(at, Math.min(head.bytes, summaryReach)));
}

/** Which pairs of bytes may begin a frame or the name of a tag. */
const marks = new Uint8Array(2 ** 16).fill(1, 0xff00);
for (const name of tagNames) marks[Buffer.from(name).readUInt16BE(0)] = 1;

/** The next position where a frame or tag may begin; each byte is examined once. */
function nextMark({ bytes, start }: FileWindow, at: number): number {
  let next = at + 1 - start;
  // At the end of the window, only part of a tag's name may be in view.
  const last = Math.max(next, bytes.length - longestTagName);
  while (next < last && marks[((bytes[next] ?? 0) << 8) | (bytes[next + 1] ?? 0)] === 0) next += 1;
  return start + next;
}

/**
 * How many elements of work are counted for a byte that looks like the beginning of a frame but is none; few recordings
 * have such bytes.
 */
const elementsOfMark = 4;
const toleratedStray = 0.05;
const aacLc = 2;
/** The checks of AAC frames, by the index of the sample rate. */
type AdtsChecks = Map<number, ReturnType<typeof aacCheck>>;
const toleratedStrayBytes = 8192;
/**
 * The most bytes outside of frames and tags that are searched: more than a recording of the largest allowed size may
 * have.
 */
const maxStrayBytes = 2 * 2 ** 20;

/** Rejects a file with too many bytes outside of frames and tags. @throws {MediaFault} unreadable, contradictory */
function refuseStray({ bytes, strayBytes }: Counted): never {
  if (bytes < strayBytes) throw unreadable();
  throw contradictory(`contains ${strayBytes} bytes that are no sound: export it again`);
}

/** Skips bytes that belong to no frame, and returns the next position where one may begin. */
function* nextFrom(file: FileWindow, at: number, counted: Counted, work: Work): Walk<number> {
  work.visit(elementsOfMark);
  const tag = file.u8(at) === 0xff ? 0 : yield* tagBytesAt(file, at);
  if (tag > 0) {
    yield* refuseSoundIn(file, at, at + tag, counted, work);
    return at + tag;
  }
  const stop = nextMark(file, at);
  work.scan(stop - at);
  counted.strayBytes += stop - at;
  if (counted.strayBytes > maxStrayBytes) refuseStray(counted);
  return stop;
}

/**
 * Decoders look for another format only in at least this many bytes; the tags at the end of very short recordings are
 * smaller.
 */
const otherBytes = 512;

/**
 * How many consecutive frames make decoders recognize a file (FFmpeg needs seven). If there are fewer, decoders look
 * for other formats.
 */
const framesInARow = 8;

/** Requires that an AAC frame contains a single block of AAC-LC, and no header but its own. @throws {MediaFault} */
function* checkAdts(file: FileWindow, at: number, head: FrameHead, checks: AdtsChecks, work: Work): Walk<void> {
  const { adts } = head;
  if (!adts) return;
  if (adts.type !== aacLc) throw unmeasurable(`mp4a.40.${adts.type}`);
  if (adts.blocks > 1) throw unmeasurable('AAC with several blocks in a frame');
  if (!work.examines(head.bytes)) return;
  yield* file.load(at, head.bytes);
  let check = checks.get(adts.rateIndex);
  if (!check) {
    check = aacCheck(adts.rateIndex, 'frame');
    checks.set(adts.rateIndex, check);
  }
  check(file.view(at + adts.bytes, head.bytes - adts.bytes));
}

function* countFrames(file: FileWindow, from: number, work: Work): Walk<Counted> {
  const counted: Counted = {
    first: undefined,
    samples: new Map(),
    bytes: 0,
    strayBytes: 0,
    tagSec: 0,
    summary: undefined,
  };
  let at = from;
  const checks: AdtsChecks = new Map();
  for (let frames = 0; ; ) {
    if (!file.has(at, frameHeadBytes) && !(yield* file.load(at, frameHeadBytes))) break;
    const found = frameHeadAt(file.bytes, at - file.start);
    // Decoders of MP3 skip frames of AAC as if they were stray bytes, and vice versa.
    const head = found?.isAdts === (counted.first ?? found)?.isAdts ? found : undefined;
    if (!head) {
      if (frames < framesInARow && (yield* file.reaches(at + otherBytes)))
        throw contradictory('begins with too few frames of sound: export it again');
      at = yield* nextFrom(file, at, counted, work);
      continue;
    }
    if (head.isTooLarge) throw severalFrames('frame');
    work.visit();
    yield* checkAdts(file, at, head, checks, work);
    frames += 1;
    const isFirst = !counted.first;
    counted.first ??= head;
    const summary = isFirst ? yield* summaryAt(file, at, head) : undefined;
    counted.bytes += head.bytes;
    if (summary) counted.summary = summary;
    else counted.samples.set(head.sampleRate, (counted.samples.get(head.sampleRate) ?? 0) + head.samples);
    at += head.bytes;
  }
  return counted;
}

/**
 * The tolerated difference from the declared size: one frame, because writers disagree on whether to count the first
 * one.
 */
const toleratedMissingBytes = 2048;

/** How many consecutive frames decoders need to recognize a file. */
const knownFrames = { mp3: 7, adts: 3 } as const;
/** The most bytes of the frames that decoders need to recognize a file: seven of MP3 or three of ADTS are shorter. */
const longestKnown = 32 * 1024;
/** The most bytes that decoders examine to recognize a file. */
const maxProbed = 2 ** 20;

/** The length of the frames by which decoders recognize the file. */
function knownBytes(beginning: Buffer): number {
  let at = 0;
  const frames = frameHeadAt(beginning, 0)?.isMp3 ? knownFrames.mp3 : knownFrames.adts;
  for (let frame = 0; frame < frames; frame += 1) at += frameHeadAt(beginning, at)?.bytes ?? maxProbed;
  return at + frameHeadBytes;
}

/** Rejects another format that decoders recognize before the frames, or instead of them. @throws {MediaFault} contradictory */
function* refuseOther(file: FileWindow, from: number, work: Work): Walk<void> {
  yield* file.load(from, longestKnown);
  const known = knownBytes(file.view(from, longestKnown));
  for (let size = firstProbe; size <= maxProbed; size *= 2) {
    const length = size - from;
    if (length <= 0) continue;
    yield* file.load(from, length);
    const isKnown = length >= known;
    const probe = file.view(from, length);
    work.scan(probe.length);
    if (isKnown ? isPreferredToFrames(probe) : isOtherThanFrames(probe))
      throw contradictory('begins with another format: export it again');
    if (isKnown || probe.length < length) return;
  }
}

/** Measures the file. @throws {MediaFault} */
export function* measureFrames(file: FileWindow, from: number, work: Work): Walk<MeasuredFile> {
  yield* refuseOther(file, from, work);
  const counted = yield* countFrames(file, from, work);
  const { first, samples, bytes, strayBytes, summary } = counted;
  if (!first) throw unreadable();
  const seconds = [...samples].reduce((sum, [rate, count]) => sum + count / rate, 0);
  if (strayBytes > Math.max(toleratedStrayBytes, bytes * toleratedStray)) refuseStray(counted);
  if (summary && bytes + strayBytes < summary.soundBytes - toleratedMissingBytes) throw truncated();
  const frameSec = first.samples / first.sampleRate;
  if (summary && summary.frames > 0) agreedSeconds('sound', seconds, summary.frames * frameSec);
  const paddingSec = (summary?.paddingSamples ?? 0) / first.sampleRate;
  const [contentType, name] = first.isMp3 ? ['audio/mpeg', 'MP3'] : ['audio/aac', 'ADTS'];
  return {
    contentType,
    name,
    hasVideo: false,
    hasAudio: true,
    durationSec: paddingSec < seconds ? seconds - paddingSec : seconds,
  };
}
