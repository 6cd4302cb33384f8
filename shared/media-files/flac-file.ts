/** Measures a FLAC by its frames, with which the sample count in its header must agree. */
import { agreedSeconds, areFar } from './agreed-seconds.ts';
import type { Walk } from './file-walk.ts';
import type { FileWindow } from './file-window.ts';
import { type FlacFrames, type FlacStream, flacFramesIn, flacStreamIn, longestFlacHead } from './flac-frame.ts';
import type { MeasuredFile } from './measured-file.ts';
import { contradictory, unreadable } from './media-fault.ts';
import type { Work } from './work.ts';

const streamInfoBytes = 34;
const isLastBlock = (type: number): boolean => type >= 128;

/**
 * Reads the blocks before the frames, and returns where the frames begin. The first block describes the stream: decoders
 * do not recognize a FLAC that begins with another one.
 */
function* metadata(file: FileWindow, from: number, work: Work): Walk<{ stream: FlacStream; end: number }> {
  let at = from + 4;
  if (!(yield* file.load(at, 4 + streamInfoBytes))) throw unreadable();
  let type = file.u8(at);
  if ((type & 127) !== 0 || file.view(at + 1, 3).readUIntBE(0, 3) !== streamInfoBytes) throw unreadable();
  const stream = flacStreamIn(file.view(at + 4, streamInfoBytes));
  at += 4 + streamInfoBytes;
  while (!isLastBlock(type)) {
    work.visit();
    if (!(yield* file.load(at, 4))) throw unreadable();
    type = file.u8(at);
    if ((type & 127) === 0) throw contradictory('describes its stream twice');
    at += 4 + file.view(at + 1, 3).readUIntBE(0, 3);
  }
  return { stream, end: at };
}

function* framesFrom(file: FileWindow, from: number, stream: FlacStream, work: Work): Walk<FlacFrames> {
  let found: FlacFrames = { frames: 0, samples: 0, seconds: 0, sampleRate: stream.sampleRate };
  for (let at = from; ; ) {
    const isInside = yield* file.load(at, longestFlacHead + 1);
    // The window may end in the middle of a frame header.
    const to = isInside ? file.end - longestFlacHead : file.end;
    const part = flacFramesIn(
      file.bytes,
      { from: at - file.start, to: to - file.start },
      stream,
      found.sampleRate,
      work,
    );
    found = {
      ...part,
      frames: found.frames + part.frames,
      samples: found.samples + part.samples,
      seconds: found.seconds + part.seconds,
    };
    if (!isInside) return found;
    at = to;
  }
}

/** Measures the file. @throws {MediaFault} */
export function* measureFlac(file: FileWindow, from: number, work: Work): Walk<MeasuredFile> {
  const { stream, end } = yield* metadata(file, from, work);
  const { samples, seconds } = yield* framesFrom(file, end, stream, work);
  // Some players use the sample rate of the stream, and others that of each frame.
  if (areFar(seconds, samples / stream.sampleRate)) throw contradictory('changes its sample rate');
  const durationSec =
    stream.samples > 0 ? agreedSeconds('sound', seconds, stream.samples / stream.sampleRate) : seconds;
  return { contentType: 'audio/flac', name: 'FLAC', hasVideo: false, hasAudio: true, durationSec };
}
