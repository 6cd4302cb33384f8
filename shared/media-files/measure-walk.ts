/** Measures an audio or video file of any known format by its content, with limited work whatever the file claims. */
import type { FileShape } from './file-shape.ts';
import type { Walk } from './file-walk.ts';
import { FileWindow } from './file-window.ts';
import { measureFlac } from './flac-file.ts';
import { measureFrames, tagBytesAt } from './frames-file.ts';
import { measureMatroska } from './matroska-file.ts';
import type { MeasuredFile, Unmeasurable } from './measured-file.ts';
import { contradictory, MediaFault, unreadable } from './media-fault.ts';
import { firstBoxes, measureMp4 } from './mp4-file.ts';
import { frameHeadAt, frameHeadBytes } from './mpeg-frame.ts';
import { measureOgg } from './ogg-file.ts';
import { measureWav } from './wav-file.ts';
import { type Timer, Work } from './work.ts';

/** Measures a file; `work` limits the effort. @throws {MediaFault} */
export function* measureAny(shape: FileShape, work: Work): Walk<MeasuredFile> {
  work.fileBytes = shape.size ?? shape.announced;
  const file = new FileWindow(shape.size, shape.isThorough);
  yield* file.load(0, 16);
  const head = file.text(0, 16);
  if (firstBoxes.has(head.slice(4, 8))) return yield* measureMp4(file, shape, work);
  if (head.startsWith('OggS')) return yield* measureOgg(file, work);
  if (head.startsWith('\x1a\x45\xdf\xa3')) return yield* measureMatroska(file, shape, work);
  if (/^(?:RIFF....WAVE|(?:RF64|BW64)....WAVEds64)/s.test(head)) return yield* measureWav(file, work);
  // Decoders skip one ID3 tag at the beginning, but detect the file's format by the content of any other tag.
  const at = head.startsWith('ID3') ? yield* tagBytesAt(file, 0) : 0;
  if (at > 0 && (yield* tagBytesAt(file, at)) > 0) throw contradictory('begins with two tags: export it again');
  if (!(yield* file.load(at, frameHeadBytes))) throw unreadable();
  if (file.text(at, 4) === 'fLaC') return yield* measureFlac(file, at, work);
  if (!frameHeadAt(file.bytes, at - file.start)) throw unreadable();
  return yield* measureFrames(file, at, work);
}

/** Measures a file, or returns why it cannot be measured; `timer` measures the time that this takes. */
export function* measureWalk(shape: FileShape, timer?: Timer): Walk<MeasuredFile | Unmeasurable> {
  try {
    const work = new Work(timer);
    const walk = measureAny(shape, work);
    let step = walk.next();
    while (!step.done) {
      work.pause();
      const bytes = yield step.value;
      work.resume();
      step = walk.next(bytes);
    }
    return step.value;
  } catch (error) {
    if (error instanceof MediaFault) return { fault: error.kind, reason: error.message };
    const { kind, message } = unreadable();
    return { fault: kind, reason: message, error: error instanceof Error ? error.name : 'not an error' };
  }
}
