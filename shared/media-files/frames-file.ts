/** Measures an MP3, or AAC in ADTS, by counting its frames: what a summary in it says only has to agree. */
import { agreedSeconds } from './agreed-seconds.ts';
import type { Walk } from './file-walk.ts';
import type { FileWindow } from './file-window.ts';
import type { MeasuredFile } from './measured-file.ts';
import { contradictory, unreadable } from './media-fault.ts';
import { type Mp3Summary, summaryIn } from './mp3-summary.ts';
import { type FrameHead, frameHeadAt, frameHeadBytes } from './mpeg-frame.ts';
import type { Work } from './work.ts';

interface Counted {
  first: FrameHead | undefined;
  /** Samples by their rates: the files of which one was made may differ. */
  readonly samples: Map<number, number>;
  bytes: number;
  /** Bytes that belong to no frame and no tag. */
  strayBytes: number;
  summary: Mp3Summary | undefined;
}

/** The seven lower bits of each byte. */
const tagSize = (bytes: Uint8Array): number => bytes.reduce((size, byte) => size * 128 + (byte & 127), 0);

const tagHeadBytes = 10;
const tagNames = ['ID3', 'TAG', 'APETAGEX'];

/** The length of the tag at a position; 0 if there is none. */
export function* tagBytesAt(file: FileWindow, at: number): Walk<number> {
  if (!(yield* file.load(at, 3))) return 0;
  const name = file.text(at, 3);
  if (name === 'TAG') return 128;
  if (name === 'ID3' && (yield* file.load(at, tagHeadBytes))) return tagHeadBytes + tagSize(file.view(at + 6, 4));
  if (name !== 'APE' || !(yield* file.load(at, 32)) || file.text(at, 8) !== 'APETAGEX') return 0;
  const head = file.view(at, 32);
  const isHeader = head.readUInt32LE(20) & 0x2000_0000;
  return isHeader ? 32 + head.readUInt32LE(12) : 32;
}

const summaryReach = 192;

/** The first frame may be a summary, which is no sound. */
function* summaryAt(file: FileWindow, at: number, head: FrameHead): Walk<Mp3Summary | undefined> {
  if (!head.isMp3) return undefined;
  yield* file.load(at, summaryReach);
  return summaryIn(file.view(at, Math.min(head.bytes, summaryReach)));
}

/** Moves over what is no frame; returns the next position where one may begin. */
function* nextFrom(file: FileWindow, at: number, counted: Counted, work: Work): Walk<number> {
  const tag = yield* tagBytesAt(file, at);
  if (tag > 0) return at + tag;
  const within = at - file.start;
  const next = file.bytes.indexOf(0xff, within + 1);
  const gap = file.bytes.subarray(within + 1, next < 0 ? file.bytes.length : next);
  // A tag may begin in it, or at its end, where only a part of its name is in view.
  const tagAt = tagNames.map((name) => gap.indexOf(name, 0, 'latin1')).filter((found) => found >= 0);
  const stop = at + 1 + Math.min(next < 0 ? Math.max(0, gap.length - 2) : gap.length, ...tagAt);
  counted.strayBytes += stop - at;
  work.visit();
  return stop;
}

function* countFrames(file: FileWindow, from: number, work: Work): Walk<Counted> {
  const counted: Counted = { first: undefined, samples: new Map(), bytes: 0, strayBytes: 0, summary: undefined };
  let at = from;
  for (;;) {
    if (!file.has(at, frameHeadBytes) && !(yield* file.load(at, frameHeadBytes))) break;
    const head = frameHeadAt(file.bytes, at - file.start);
    if (!head) {
      at = yield* nextFrom(file, at, counted, work);
      continue;
    }
    work.visit();
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

const toleratedStray = 0.05;
const toleratedStrayBytes = 8192;

/** @throws {MediaFault} */
export function* measureFrames(file: FileWindow, from: number, work: Work): Walk<MeasuredFile> {
  const { first, samples, bytes, strayBytes, summary } = yield* countFrames(file, from, work);
  if (!first) throw unreadable();
  const seconds = [...samples].reduce((sum, [rate, count]) => sum + count / rate, 0);
  if (strayBytes > Math.max(toleratedStrayBytes, bytes * toleratedStray)) {
    if (bytes < strayBytes) throw unreadable();
    throw contradictory(`contains ${strayBytes} bytes that are no sound: export it again`);
  }
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
