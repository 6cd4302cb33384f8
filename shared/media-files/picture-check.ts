/**
 * Checks that a sample of AV1 or VP9 shows one picture: decoders would show all, and the file counts one. In a sample of
 * other accepted codecs, decoders find only one.
 */
import { contradictory } from './media-fault.ts';
import type { Work } from './work.ts';

/** Checks a sample of this size, of which only the beginning may be given. @throws {MediaFault} contradictory, excessive */
export type PictureCheck = (sample: Uint8Array, size: number) => void;

/** The most bytes that a picture of these codecs may have: those of recordings have far fewer. */
export const largestExamined = 4 * 2 ** 20;

/** Larger samples are not read completely, so that they could hide further pictures. @throws {MediaFault} contradictory */
function requireExamined(size: number): void {
  if (size > largestExamined) throw contradictory('has a picture of more than 4 MB: encode it again');
}

const severalPictures = () => contradictory('has several pictures in a sample: export it again');

/** The types of units (OBU) in AV1. A header that is repeated counts as a frame: some decoders take it for one. */
const units = { sequence: 1, delimiter: 2, frameHeader: 3, frame: 6, repeatedHeader: 7 } as const;
const frameUnits = new Set<number>([units.frameHeader, units.frame, units.repeatedHeader]);

/** The size of a unit, in numbers of seven bits, and where its content begins. */
function sizeAt(sample: Uint8Array, at: number) {
  let [size, next] = [0, at];
  for (let place = 0; place < 8; place += 1, next += 1) {
    const byte = sample[next] ?? 0;
    size += (byte & 127) * 128 ** place;
    if (byte < 128) break;
  }
  return { size, content: next + 1 };
}

/** Visits the units of AV1: the type of each, and the first byte of its content. */
function* unitsIn(sample: Uint8Array, work: Work): Generator<readonly [type: number, first: number]> {
  for (let at = 0; at < sample.length; ) {
    work.visit();
    const head = sample[at] ?? 0;
    const next = at + (head & 4 ? 2 : 1);
    const { size, content } = head & 2 ? sizeAt(sample, next) : { size: sample.length - next, content: next };
    yield [(head >> 3) & 15, sample[content] ?? 0];
    at = content + size;
  }
}

/** The check of AV1; `setup` contains the units that precede those of all samples. */
export function av1Check(setup: Uint8Array, work: Work): PictureCheck {
  /** Whether the frames have headers without the bit that says whether they are shown: all are. */
  let isAlwaysShown = false;
  const check: PictureCheck = (sample, size) => {
    requireExamined(size);
    let [shown, delimiters] = [0, 0];
    for (const [type, first] of unitsIn(sample, work)) {
      if (type === units.sequence) isAlwaysShown = (first & 0x08) !== 0;
      if (type === units.delimiter) delimiters += 1;
      // A frame that exists already is shown (0x80), or a new one is (0x10).
      if (frameUnits.has(type) && (isAlwaysShown || (first & 0x90) !== 0)) shown += 1;
      if (shown > 1 || delimiters > 1) throw severalPictures();
    }
  };
  check(setup, setup.length);
  return check;
}

/** Whether a frame of VP9 is shown, by its first byte. */
function isShown(first: number): boolean {
  // In profile 3, another bit precedes them.
  const bits = (first & 0x30) === 0x30 ? first << 1 : first;
  // A frame that exists already is shown, or a new one is.
  return (bits & 0x08) !== 0 || (bits & 0x02) !== 0;
}

/** The check of VP9, whose frames are listed at the end of a sample if there are several. */
export function vp9Check(work: Work): PictureCheck {
  return (sample, size) => {
    work.visit();
    requireExamined(size);
    if (sample.length < size) return;
    const last = sample.at(-1) ?? 0;
    const [frames, bytes] = [(last & 7) + 1, ((last >> 3) & 3) + 1];
    const listAt = sample.length - 2 - frames * bytes;
    if ((last & 0xe0) !== 0xc0 || listAt < 0 || sample[listAt] !== last) return;
    let [shown, at] = [0, 0];
    for (let frame = 0; frame < frames; frame += 1) {
      let frameBytes = 0;
      for (let byte = 0; byte < bytes; byte += 1)
        frameBytes += (sample[listAt + 1 + frame * bytes + byte] ?? 0) * 256 ** byte;
      if (frameBytes > 0 && isShown(sample[at] ?? 0)) shown += 1;
      at += frameBytes;
    }
    if (shown > 1) throw severalPictures();
  };
}
