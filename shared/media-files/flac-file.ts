/** Measures a FLAC by its frames, with which the sample count in its header must agree. */
import { agreedSeconds } from './agreed-seconds.ts';
import type { Walk } from './file-walk.ts';
import type { FileWindow } from './file-window.ts';
import { flacFrameAt, longestFlacHead } from './flac-frame.ts';
import type { MeasuredFile } from './measured-file.ts';
import { contradictory, unreadable } from './media-fault.ts';
import type { Work } from './work.ts';

interface StreamInfo {
  readonly sampleRate: number;
  /** 0 if the header does not say. */
  readonly samples: number;
}

/** Parses the STREAMINFO block. @throws {MediaFault} unreadable */
export function streamInfoIn(content: Buffer): StreamInfo {
  if (content.length < 18) throw unreadable();
  const sampleRate = content.readUIntBE(10, 3) >> 4;
  if (sampleRate === 0) throw unreadable();
  return { sampleRate, samples: ((content[13] ?? 0) & 15) * 2 ** 32 + content.readUInt32BE(14) };
}

/** Reads the blocks before the frames, and returns where the frames begin. */
function* metadata(file: FileWindow, from: number, work: Work): Walk<{ info: StreamInfo; end: number }> {
  let at = from + 4;
  let info: StreamInfo | undefined;
  for (let isLast = false; !isLast; ) {
    work.visit();
    if (!(yield* file.load(at, 4))) throw unreadable();
    const [type, size] = [file.u8(at), file.view(at + 1, 3).readUIntBE(0, 3)];
    isLast = type >= 128;
    if ((type & 127) === 0) {
      if (info || size < 34 || !(yield* file.load(at + 4, size))) throw unreadable();
      info = streamInfoIn(file.view(at + 4, size));
    }
    at += 4 + size;
  }
  if (!info) throw unreadable();
  return { info, end: at };
}

/** The tolerated share of bytes outside frames: compressed bytes occasionally look like a header. */
const toleratedForeign = 0.01;
const fewForeign = 8;

function* countSamples(file: FileWindow, from: number, { sampleRate }: StreamInfo, work: Work): Walk<number> {
  let [samples, frames, foreign, at] = [0, 0, 0, from];
  for (;;) {
    if (!file.has(at, longestFlacHead)) yield* file.load(at, longestFlacHead);
    if (at + 6 > file.end) break;
    const last = file.has(at, longestFlacHead) ? file.end - longestFlacHead : file.end - 6;
    const next = file.bytes.indexOf(0xff, at - file.start);
    if (next < 0 || file.start + next > last) {
      at = Math.max(at + 1, last + 1);
      continue;
    }
    work.visit(1 / 8);
    const frame = flacFrameAt(file.bytes, next);
    if (frame && (frame.sampleRate === 0 || frame.sampleRate === sampleRate)) {
      samples += frame.samples;
      frames += 1;
    } else if (frame) foreign += 1;
    at = file.start + next + (frame ? 4 : 1);
  }
  if (foreign > fewForeign + frames * toleratedForeign) throw contradictory('changes its sample rate');
  return samples;
}

/** Measures the file. @throws {MediaFault} */
export function* measureFlac(file: FileWindow, from: number, work: Work): Walk<MeasuredFile> {
  const { info, end } = yield* metadata(file, from, work);
  const counted = (yield* countSamples(file, end, info, work)) / info.sampleRate;
  const durationSec = info.samples > 0 ? agreedSeconds('sound', counted, info.samples / info.sampleRate) : counted;
  return { contentType: 'audio/flac', name: 'FLAC', hasVideo: false, hasAudio: true, durationSec };
}
